import { CONNECTION_HEADERS } from '@confab/internal';
import type { WebhookResponse } from '../receive.ts';
import { webhookResponse } from '../receive.ts';
import type { HeaderLines } from './flags.ts';

/** What to pass on to a sender, and one line for the terminal. */
interface PostResult {
  /** The response, without its headers; a 502 if there is none. */
  readonly response: WebhookResponse;
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
      headers: headers.flatMap(([name, value]): [string, string][] =>
        CONNECTION_HEADERS.includes(name.toLowerCase()) ? [] : [[name, value]],
      ),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: stopped === undefined ? timeout : AbortSignal.any([timeout, stopped]),
    });
    const { status } = response;
    const text = await beginningOf(response);
    const line = `${status} ${text.slice(0, MAX_SHOWN).replaceAll(/\p{Cc}+/gu, ' ')}`.trimEnd();
    return { response: { status, headers: {}, body: text }, line };
  } catch (error) {
    const line = stopped?.aborted
      ? `stopped before ${url.origin} responded`
      : `no response from ${url.origin}${reasonOf(error, seconds)}`;
    return { response: webhookResponse(502, { error: 'NO_RESPONSE_FROM_APP' }), line };
  }
};
