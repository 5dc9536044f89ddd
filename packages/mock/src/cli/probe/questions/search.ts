import type { Lead } from '@confab/client/contract';
import { isSearchMatch, SEARCH_FIELDS, searching } from '../../../operations/searching.ts';
import type { CompleteBehavior, SearchMatch } from '../../../world/behavior.ts';
import { SEARCH_MATCHES } from '../../../world/behavior.ts';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Reply, Service } from '../service.ts';

type Search = CompleteBehavior['search'];

type Field = (typeof SEARCH_FIELDS)[number];

const MIN_LENGTH = 3;

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

/** The longest part of a value for each signature. */
const textsIn = (value: string): string[] => {
  const parts = Array.from({ length: value.length }, (_, start) =>
    Array.from({ length: value.length - start }, (_, more) => value.slice(start, start + more + 1)),
  )
    .flat()
    .filter((part) => part.length >= MIN_LENGTH && part === part.trim())
    .sort((a, b) => b.length - a.length);
  return SIGNATURES.flatMap(
    (signature) =>
      parts.find((part) =>
        SEARCH_MATCHES.every((match) => isSearchMatch(value, part, match) === signature.includes(match)),
      ) ?? [],
  );
};

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** The value whose parts tell most. Other characters than these may be folded or encoded, which is another question. */
const bestValue = (leads: readonly Lead[], field: Field): string | undefined =>
  leads
    .flatMap((lead) => lead[field] ?? [])
    .filter((value) => /^[!-~]+( [!-~]+)*$/.test(value) && value.length > MIN_LENGTH && value.length <= 40)
    .slice(0, 20)
    .sort((a, b) => textsIn(b).length - textsIn(a).length)[0];

/** Whether a behavior explains what a search returned. */
const explains =
  (text: string, { body }: Reply<'leads.list'>, known: readonly Lead[]) =>
  (search: Search): boolean => {
    const { data = [], meta } = body ?? {};
    const isFound = searching(search, text);
    const ids = new Set(data.map(({ id }) => id));
    const isWhole = data.length === meta?.total;
    return data.every(isFound) && (!isWhole || known.every((lead) => !isFound(lead) || ids.has(lead.id)));
  };

const valuesOf = <Name extends keyof Search>(fits: readonly Search[], name: Name): Search[Name][] => [
  ...new Set(fits.map((fit) => fit[name])),
];

const learn = async (
  service: Service,
  known: readonly Lead[],
): Promise<{ readonly fits: readonly Search[]; readonly failed?: Reply | undefined }> => {
  let fits = EVERY_SEARCH;
  const isOpen = (name: keyof Search) => valuesOf(fits, name).length > 1;
  for (const field of SEARCH_FIELDS) {
    const texts = textsIn(bestValue(known, field) ?? '');
    const tried = [
      ...texts.map((text) => ({ text, about: field })),
      ...texts.map((text) => ({ text: swapCase(text), about: 'ignoreCase' as const })),
    ];
    for (const { text, about } of tried) {
      if (!isOpen(about) || (about === 'ignoreCase' && swapCase(text) === text)) {
        continue;
      }
      const reply = await service.read('leads.list', { query: { search: text, limit: 100 } });
      if (reply.body === undefined) {
        return { fits, failed: reply };
      }
      fits = fits.filter(explains(text, reply, known));
    }
  }
  return { fits };
};

/**
 * Searches for parts of the names, emails and phones on the first page of leads, and keeps the behaviors that explain every
 * result: each row that was found, and each that was not.
 */
export const search: Question = {
  topic: 'search of leads.list',
  async ask(service) {
    const page = await service.read('leads.list', { query: { limit: 100 } });
    const questions = [...SEARCH_FIELDS, 'ignoreCase' as const].map(
      (name) =>
        [name, name === 'ignoreCase' ? 'Whether `search` ignores case' : `\`search\` in ${name}`] as const,
    );
    if (page.body === undefined) {
      return questions.map(([, question]) => unanswered(question, page));
    }
    const { fits, failed } = await learn(service, page.body.data);
    return questions.map(([name, question]): Finding => {
      const values = valuesOf(fits, name);
      const [value] = values;
      if (value !== undefined && values.length === 1) {
        return learned(question, ['behavior', 'search', name], value);
      }
      if (failed !== undefined) {
        return unanswered(question, failed);
      }
      return value === undefined
        ? unknown(
            question,
            'no behavior of the mock explains what the searches found',
            "Ask the service's team what a search compares.",
          )
        : unknown(
            question,
            `the leads on the first page fit ${values.join(' as well as ')}`,
            `Add leads with ${name === 'ignoreCase' ? 'a name or an email' : `a ${name}`} of several words.`,
          );
    });
  },
};
