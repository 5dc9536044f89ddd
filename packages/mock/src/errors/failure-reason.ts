import { isError } from '@confab/internal';

/** How many errors of a chain of causes a message quotes. */
const MAX_LINKS = 8;

/** The longest description: a receiver in this process may throw an error of any length. */
const MAX_LENGTH = 500;

/** Returns the message of a thrown value. */
export const readMessage = (error: unknown): string => (isError(error) ? error.message : String(error));

/** Returns the message of one error of the chain, with its system code if the message lacks it. */
const describeLink = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) {
    return String(error);
  }
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  const text = typeof message === 'string' ? message : '';
  if (text === 'bad port') {
    return 'fetch refuses this port, as browsers do, so use another one';
  }
  if (typeof code !== 'string' || text.includes(code)) {
    return text;
  }
  return text === '' ? code : `${text} (${code})`;
};

/**
 * Describes why an attempt got no response: `TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8080`.
 *
 * The message of the platform's `fetch` says only that it failed. The reason is in a chain of causes.
 */
export const describeFailure = (error: unknown): string => {
  const messages = new Set<string>();
  let link: unknown = error;
  for (let index = 0; index < MAX_LINKS; index += 1) {
    messages.add(describeLink(link));
    // A host with several addresses has an error for each, usually with the same reason.
    const { cause, errors } = Object(link);
    link = cause ?? errors?.[0];
    if (link === undefined) {
      break;
    }
  }
  messages.delete('');
  const { name } = Object(error);
  const prefix = typeof name === 'string' ? `${name}: ` : '';
  return `${prefix}${[...messages].join(': ') || 'no reason was given'}`.slice(0, MAX_LENGTH);
};
