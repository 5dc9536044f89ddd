import type { Lead } from '@confab/client/contract';
import { isSearchMatch, SEARCH_FIELDS, searching } from '../../../operations/searching.ts';
import type { CompleteBehavior, SearchMatch } from '../../../world/behavior.ts';
import { SEARCH_MATCHES } from '../../../world/behavior.ts';
import { onlyFit } from '../evidence.ts';
import { rule } from '../finding.ts';
import type { Service } from '../service.ts';

type Search = CompleteBehavior['search'];

/** Every behavior that the mock has. */
const EVERY_SEARCH: readonly Search[] = [true, false].flatMap((ignoreCase) =>
  SEARCH_MATCHES.flatMap((displayName) =>
    SEARCH_MATCHES.flatMap((email) =>
      SEARCH_MATCHES.map((phone) => ({ displayName, email, phone, ignoreCase })),
    ),
  ),
);

/** Which comparisons find a text in a value, in the order in which texts are tried: the first one tells most. */
const SIGNATURES: readonly (readonly SearchMatch[])[] = [
  ['part'],
  ['part', 'start'],
  ['part', 'word'],
  ['part', 'start', 'word', 'whole'],
];

const MIN_LENGTH = 3;

/** The parts of a value, longest first. */
const partsOf = (value: string): string[] =>
  Array.from({ length: value.length }, (_, less) =>
    Array.from({ length: less + 1 }, (_, start) => value.slice(start, start + value.length - less)),
  )
    .flat()
    .filter((part) => part.length >= MIN_LENGTH && part === part.trim());

/** The longest part of a value for each signature. */
const textsIn = (value: string): string[] =>
  SIGNATURES.flatMap(
    (signature) =>
      partsOf(value).find((part) =>
        SEARCH_MATCHES.every((match) => isSearchMatch(value, part, match) === signature.includes(match)),
      ) ?? [],
  );

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** The texts of the value that tells most. Other characters than these may be folded or encoded, which is another question. */
const bestTexts = (leads: readonly Lead[], field: (typeof SEARCH_FIELDS)[number]): string[] => {
  const values = leads
    .flatMap((lead) => lead[field] ?? [])
    .filter((value) => /^[!-~]+( [!-~]+)*$/.test(value) && value.length > MIN_LENGTH && value.length <= 40);
  const [best = []] = values
    .slice(0, 20)
    .map(textsIn)
    .sort((a, b) => b.length - a.length);
  return best;
};

const isOpen = (fits: readonly Search[], name: keyof Search): boolean =>
  new Set(fits.map((fit) => fit[name])).size > 1;

/**
 * Searches for parts of the names, emails and phones on the first page of leads, and keeps the behaviors that explain every
 * result: each row that was found, and each that was not.
 */
const behaviors = async (service: Service): Promise<readonly Search[]> => {
  const { data: known } = await service.need('leads.list', { query: { limit: 100 } });
  const trials = SEARCH_FIELDS.flatMap((field) => {
    const texts = bestTexts(known, field);
    const swapped = texts.map(swapCase).filter((text) => !texts.includes(text));
    return [
      ...texts.map((text) => ({ text, about: field })),
      ...swapped.map((text) => ({ text, about: 'ignoreCase' as const })),
    ];
  });
  let fits = EVERY_SEARCH;
  for (const { text, about } of trials) {
    if (isOpen(fits, about)) {
      const { data, meta } = await service.need('leads.list', { query: { search: text, limit: 100 } });
      const found = new Set(data.map(({ id }) => id));
      // Of a longer list, the rest may have any lead.
      const others = data.length === meta.total ? known.filter(({ id }) => !found.has(id)) : [];
      fits = fits.filter((fit) => data.every(searching(fit, text)) && !others.some(searching(fit, text)));
    }
  }
  return fits;
};

const partOf = (name: keyof Search, question: string, lacking: string) =>
  rule({
    question,
    path: ['behavior', 'search', name],
    async ask(service) {
      const values: (string | boolean)[] = (await behaviors(service)).map((fit) => fit[name]);
      return onlyFit(values, 'the leads on the first page', `Add leads with ${lacking} of several words.`);
    },
  });

export const search = [
  ...SEARCH_FIELDS.map((field) => partOf(field, `\`search\` in ${field}`, `a ${field}`)),
  partOf('ignoreCase', 'Whether `search` ignores case', 'a name or an email'),
];
