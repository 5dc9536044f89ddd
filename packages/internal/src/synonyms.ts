import { closestName } from './closest-name.ts';
import { suggestNames } from './unknown-names.ts';

/** The names to use, each with those that other clients or older versions use for it. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['retry: { limit }', 'retries', 'maxRetries', 'maxNetworkRetries'],
  ['apiKey', 'key', 'token'],
  ['baseUrl', 'url', 'host', 'prefixUrl'],
  ['path', 'url'],
  ['headers', 'defaultHeaders'],
  ['appInfo', 'userAgent'],
  ['offset', 'page'],
  ['content', 'message', 'text'],
  ['userMessage', 'message', 'text'],
  ['body', 'message', 'text', 'content', 'data', 'json', 'payload'],
  ['displayName', 'name'],
  ['phone', 'phoneNumber'],
  ['query', 'params'],
];

/** Returns the known name that an unknown one probably means: a synonym, or a name of similar spelling. */
export const guessName = (name: string, known: readonly string[]): string | undefined =>
  SYNONYMS.find(
    ([meant = '', ...others]) => others.includes(name) && known.includes(meant.replace(/:.*/, '')),
  )?.[0] ?? closestName(name, known);

/** Suggests in a sentence what an unknown name probably means, or lists the known names. */
export const suggestNameOrSynonym = (name: string, known: readonly string[]): string =>
  `${suggestNames([name], known, guessName)}.`.replace('?.', '?');
