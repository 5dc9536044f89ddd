import { closestName } from '@confab/internal';

/** Names that other clients or older versions use, and what to write in their place. */
const SYNONYMS: Readonly<Record<string, string>> = {
  maxRetries: 'retry: { limit }',
  key: 'apiKey',
  token: 'apiKey',
  url: 'baseUrl',
  host: 'baseUrl',
  text: 'content',
  name: 'displayName',
  phoneNumber: 'phone',
};

/** Returns what an unknown name probably means: a known name that contains it, a synonym or a name that is spelled alike. */
export const meantName = (name: string, known: readonly string[]): string | undefined => {
  const synonym = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  if (synonym !== undefined && known.includes(synonym.replace(/:.*/, ''))) {
    return synonym;
  }
  // Bodies of one text: `message` is the `content` of a message and the `userMessage` of an agent.
  return name === 'message'
    ? known.find((other) => /^(?:content|userMessage)$/.test(other))
    : closestName(name, known);
};
