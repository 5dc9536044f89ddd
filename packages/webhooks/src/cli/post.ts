import { CONNECTION_HEADERS } from '@confab/internal';
import type { HeaderLines } from './flags.ts';

/** The result of a request: a response, or the reason why there is none. */
export interface PostResult {
  /** Undefined if there is no response. */
  readonly status: number | undefined;
  /** The beginning of the body. */
  readonly body: string;
  /** One line for the terminal. */
  readonly line: string;
}

/** Bytes of a response to keep. */
const MAX_BYTES = 65_536;

/** Characters of a response to print. */
const MAX_SHOWN = 500;

const beginningOf = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).toString().slice(0, MAX_BYTES);
};

const reasonOf = (error: unknown, seconds: number): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return ` within ${seconds} s`;
  }
  // fetch() hides the reason in the cause.
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return `: ${code ?? message}`;
};

/** Sends bytes with the given headers, without those of a connection. Redirects are not followed. */
export const post = async (
  url: URL,
  headers: HeaderLines,
  body: Uint8Array,
  seconds = 30,
  stopped?: AbortSignal,
): Promise<PostResult> => {
  const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headers
        .filter(([name]) => !CONNECTION_HEADERS.includes(name.toLowerCase()))
        .map(([name, value]): [string, string] => [name, value]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: stopped === undefined ? timeout : AbortSignal.any([timeout, stopped]),
    });
    const text = await beginningOf(response);
    const { status } = response;
    const line = `${status} ${text.slice(0, MAX_SHOWN).replaceAll(/\p{Cc}+/gu, ' ')}`.trimEnd();
    return { status, body: text, line };
  } catch (error) {
    const line = stopped?.aborted
      ? `stopped before ${url.origin} responded`
      : `no response from ${url.origin}${reasonOf(error, seconds)}`;
    return { status: undefined, body: '', line };
  }
};

/** Whether a delivery was accepted. */
export const isAccepted = ({ status = 0 }: PostResult): boolean => status >= 200 && status < 300;
