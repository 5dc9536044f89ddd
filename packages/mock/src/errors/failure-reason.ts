/** How many errors of a chain of causes are read. */
const MAX_LINKS = 8;

/** Characters to keep: a receiver within this process may throw an error of any length. */
const MAX_LENGTH = 500;

interface ErrorLike {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

const isErrorLike = (value: unknown): value is ErrorLike => typeof value === 'object' && value !== null;

/** The errors behind an error: its cause, or the failed attempts, one per address of the host. */
const causesOf = ({ cause, errors }: ErrorLike): unknown[] => [
  ...(cause === undefined ? [] : [cause]),
  ...(Array.isArray(errors) ? errors : []),
];

/** The message of an error, with its system code if the message lacks it. */
const messageOf = (error: unknown): string => {
  if (!isErrorLike(error)) {
    return String(error);
  }
  const { message, code } = error;
  const text = typeof message === 'string' ? message : '';
  if (text === 'bad port') {
    return 'fetch refuses this port, as browsers do. Use another port.';
  }
  if (typeof code !== 'string' || text.includes(code)) {
    return text;
  }
  return text === '' ? code : `${text} (${code})`;
};

/**
 * Says why an attempt got no response: `TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8080`.
 *
 * The platform's `fetch` reports only that it failed, with the reason in a chain of causes.
 */
export const failureOf = (error: unknown): string => {
  const parts: string[] = [];
  const links: unknown[] = [error];
  for (let at = 0; at < Math.min(links.length, MAX_LINKS); at += 1) {
    const link = links[at];
    const text = messageOf(link);
    if (text !== '' && !parts.includes(text)) {
      parts.push(text);
    }
    if (isErrorLike(link)) {
      links.push(...causesOf(link).filter((next) => !links.includes(next)));
    }
  }
  const name = isErrorLike(error) && typeof error.name === 'string' ? `${error.name}: ` : '';
  return `${name}${parts.join(': ') || 'no reason was given'}`.slice(0, MAX_LENGTH);
};
