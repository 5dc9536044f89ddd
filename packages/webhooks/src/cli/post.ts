import { CONNECTION_HEADERS } from '@confab/internal';
import type { Header } from '../headers.ts';
import type { WebhookResponse } from '../receive.ts';
import { webhookResponse } from '../receive.ts';

/** What to pass on to a sender, and one line for the terminal. */
interface PostResult {
  /** The response, without its headers; a 502 if there is none. */
  readonly response: WebhookResponse;
  readonly line: string;
}

/** Characters of a response to pass on. */
const MAX_KEPT = 65_536;

/** Characters of a response to print. */
const MAX_SHOWN = 500;

const beginningOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_KEPT) {
      break;
    }
  }
  return text.slice(0, MAX_KEPT);
};

/** Says why there is no response. */
const failureLine = (error: unknown, { origin }: URL, seconds: number): string => {
  // fetch() hides the reason in the cause.
  const { name, code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return `The server at ${origin} does not speak TLS. Is it http?`;
  }
  if (code === 'ECONNREFUSED') {
    return `Nothing accepts connections at ${origin}. Is the receiver running?`;
  }
  return name === 'TimeoutError'
    ? `No response from ${origin} within ${seconds} s`
    : `No response from ${origin}: ${code ?? message}`;
};

/** Sends bytes with the given headers, without those of a connection. Redirects are not followed. */
export const post = async (
  url: URL,
  headers: readonly Header[],
  body: Uint8Array,
  seconds: number,
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
      signal: AbortSignal.any([timeout, ...(stopped ? [stopped] : [])]),
    });
    const { status } = response;
    const text = await beginningOf(response);
    const line = `${status} ${text.slice(0, MAX_SHOWN).replaceAll(/\p{Cc}+/gu, ' ')}`.trimEnd();
    return { response: { status, headers: {}, body: text }, line };
  } catch (error) {
    return {
      response: webhookResponse(502, { error: 'NO_RESPONSE_FROM_APP' }),
      line: failureLine(error, url, seconds),
    };
  }
};
