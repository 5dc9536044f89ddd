import { closestName } from './closest-name.ts';
import { suggestNames } from './unknown-names.ts';

/** Names that other clients or older versions use, and what to write in their place. */
const SYNONYMS = new Map([
  ['maxRetries', ['retry: { limit }']],
  ['key', ['apiKey']],
  ['token', ['apiKey']],
  ['url', ['baseUrl', 'path']],
  ['host', ['baseUrl']],
  ['message', ['content', 'userMessage', 'body']],
  ['text', ['content', 'userMessage', 'body']],
  ['content', ['body']],
  ['name', ['displayName']],
  ['phoneNumber', ['phone']],
  ['data', ['body']],
  ['json', ['body']],
  ['payload', ['body']],
  ['params', ['query']],
]);

/** Returns what an unknown name probably means: a synonym, or a name that is spelled alike. */
export const guessName = (name: string, known: readonly string[]): string | undefined =>
  SYNONYMS.get(name)?.find((synonym) => known.includes(synonym.replace(/:.*/, ''))) ??
  closestName(name, known);

/** Says in a sentence what an unknown name probably means, or which names are known. */
export const suggestNameOrSynonym = (name: string, known: readonly string[]): string =>
  `${suggestNames([name], known, guessName)}.`.replace('?.', '?');
