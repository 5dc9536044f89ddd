import type { Lead } from '@confab/client/contract';
import type { CompleteBehavior } from '../world/behavior.ts';

/** The fields of a lead that a search reads. */
export const SEARCH_FIELDS = ['displayName', 'email', 'phone'] as const;

/** Creates one function for each way to find a text in a value. */
const createComparisons = (text: string): Readonly<Record<string, (value: string) => boolean>> => {
  const literal = text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\d])${literal}(?![\\p{L}\\d])`, 'u');
  return {
    part: (value) => value.includes(text),
    start: (value) => value.startsWith(text),
    word: (value) => word.test(value),
    whole: (value) => value === text,
  };
};

/** Creates a function that tells whether a search finds a lead. */
export const createSearch = (
  search: CompleteBehavior['search'],
  text: string,
): ((lead: Pick<Lead, 'displayName' | 'email' | 'phone'>) => boolean) => {
  const comparable = (value: string) => (search.ignoreCase ? value.toLowerCase() : value);
  const matches = createComparisons(comparable(text));
  return (lead) =>
    SEARCH_FIELDS.some((field) => matches[search[field]]?.(comparable(lead[field] ?? '')) ?? false);
};
