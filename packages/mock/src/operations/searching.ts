import type { Lead } from '@confab/client/contract';
import type { CompleteBehavior } from '../world/complete-behavior.ts';

/** The fields of a lead that a search looks at. */
export const SEARCH_FIELDS = ['displayName', 'email', 'phone'] as const;

const isInWord = (character: string | undefined): boolean => /[\p{L}\d]/u.test(character ?? '');

const hasWord = (value: string, text: string): boolean => {
  for (let at = value.indexOf(text); at !== -1; at = value.indexOf(text, at + 1)) {
    if (!isInWord(value[at - 1]) && !isInWord(value[at + text.length])) {
      return true;
    }
  }
  return false;
};

/** Whether a kind of comparison finds a text in a value. */
const isSearchMatch = (value: string, text: string, match: string): boolean => {
  switch (match) {
    case 'part':
      return value.includes(text);
    case 'start':
      return value.startsWith(text);
    case 'word':
      return hasWord(value, text);
    default:
      return match === 'whole' && value === text;
  }
};

/** Returns whether a search finds a lead, according to a behavior. */
export const searching = (
  search: CompleteBehavior['search'],
  text: string,
): ((lead: Pick<Lead, 'displayName' | 'email' | 'phone'>) => boolean) => {
  const comparable = (value: string) => (search.ignoreCase ? value.toLowerCase() : value);
  const wanted = comparable(text);
  return (lead) =>
    SEARCH_FIELDS.some((field) => isSearchMatch(comparable(lead[field] ?? ''), wanted, search[field]));
};
