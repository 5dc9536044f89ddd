import { closestName } from './closest-name.ts';
import { suggestNames } from './unknown-names.ts';

/** Names that other clients or older versions use, and the names to use instead. */
const SYNONYMS = new Map([
  ['maxRetries', ['retry: { limit }']],
  ['key', ['apiKey']],
  ['token', ['apiKey']],
  ['url', ['baseUrl', 'path']],
  ['host', ['baseUrl']],
  ['port', ['url', 'baseUrl']],
  ['page', ['offset']],
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

/** Returns the known name that an unknown one probably means: a synonym, or a name of similar spelling. */
export const guessName = (name: string, known: readonly string[]): string | undefined =>
  SYNONYMS.get(name)?.find((synonym) => known.includes(synonym.replace(/:.*/, ''))) ??
  closestName(name, known);

/** Suggests in a sentence what an unknown name probably means, or lists the known names. */
export const suggestNameOrSynonym = (name: string, known: readonly string[]): string =>
  `${suggestNames([name], known, guessName)}.`.replace('?.', '?');
