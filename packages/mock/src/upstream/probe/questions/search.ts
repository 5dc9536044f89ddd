import type { Lead } from '@confab/client/contract';
import { createSearch, SEARCH_FIELDS } from '../../../operations/search.ts';
import type { CompleteBehavior } from '../../../world/behavior.ts';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import { everyCombination, onlyFit } from '../evidence.ts';
import type { Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

type Search = CompleteBehavior['search'];

/** Every behavior of the mock. */
const EVERY_SEARCH = everyCombination<Search>(BEHAVIOR_WORDS.search);

/**
 * Finds the longest value of a field, which usually has several words and so rules out the most behaviors. Skips values with
 * non-ASCII characters, because a service may fold or encode them.
 */
const findLongest = (leads: readonly Lead[], field: (typeof SEARCH_FIELDS)[number]): string =>
  leads
    .flatMap((lead) => lead[field] ?? [])
    .filter((value) => value.length >= 5 && value.length <= 40 && /^[!-~]+( [!-~]+)*$/.test(value))
    .sort((a, b) => b.length - a.length)[0] ?? '';

/** Builds the texts to search for (a part of a value, its start, a word in it, all of it), and what each one is about. */
const buildTrials = (leads: readonly Lead[]): { readonly text: string; readonly about: keyof Search }[] =>
  SEARCH_FIELDS.flatMap((field) => {
    const value = findLongest(leads, field);
    const [word = ''] = /[a-z\d]+$/i.exec(value) ?? [];
    const texts = [value.slice(1, -1), value.slice(0, -1), word, value].map((text) => text.trim());
    const otherCase = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
    return [
      ...texts.map((text) => ({ text, about: field })),
      { text: otherCase, about: 'ignoreCase' as const },
    ].filter(({ text }) => text !== '');
  });

/**
 * Searches for parts of the names, emails and phone numbers on the first page of leads, and returns the behaviors that
 * explain which rows were found and which were not.
 */
const findBehaviors = async (service: Service): Promise<readonly Search[]> => {
  const { data: known } = await service.read('leads.list', FIRST_PAGE);
  let fits = EVERY_SEARCH;
  for (const { text, about } of buildTrials(known)) {
    if (new Set(fits.map((fit) => fit[about])).size > 1) {
      const { data, meta } = await service.read('leads.list', { query: { search: text, limit: '100' } });
      const found = new Set(data.map(({ id }) => id));
      // The pages of a longer list that were not read may have any lead.
      const others = data.length === meta.total ? known.filter(({ id }) => !found.has(id)) : [];
      fits = fits.filter(
        (fit) => data.every(createSearch(fit, text)) && !others.some(createSearch(fit, text)),
      );
    }
  }
  return fits;
};

/** Finds the single value of an option in all behaviors that explain the results. */
export const searchBy = (option: keyof Search) => async (service: Service) => {
  const values = (await findBehaviors(service)).map((fit): string | boolean => fit[option]);
  const remedy = 'Add leads with longer and more varied names, emails and phone numbers.';
  return onlyFit(values, 'the leads on the first page', remedy);
};
