import { CONNECTION_HEADERS, oneLine } from '@confab/internal';
import type { Header } from '../headers.ts';
import type { WebhookResponse } from '../receive.ts';
import { createWebhookResponse } from '../receive.ts';

/** The result of sending a delivery to a receiver. */
interface PostResult {
  /** The response, without the headers of its connection; a 502 if there is none. */
  readonly response: WebhookResponse;
  /** A line for the terminal. */
  readonly line: string;
}

/** Characters of a response to pass on. */
const MAX_KEPT = 65_536;

/** Characters of a response to print. */
const MAX_SHOWN = 500;

const readBeginning = async (response: Response): Promise<string> => {
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

const PROXY = 'Check HTTP_PROXY and HTTPS_PROXY, or list the host in NO_PROXY.';

const effectivePort = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** Returns the response headers to pass on to the sender. fetch() has decoded the body, so its encoding is left out. */
const headersToForward = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => ![...CONNECTION_HEADERS, 'content-encoding'].includes(name)),
  );

/** Explains why there is no response. */
const describeFailure = (error: unknown, url: URL, seconds: number): string => {
  const { origin } = url;
  // The error of fetch() has its reason in the cause. A name with several addresses has several errors.
  const reason = (error as Error).cause ?? error;
  const { name, code, message, cause } = reason as NodeJS.ErrnoException;
  const { address, port } = Object(Object(reason).errors?.[0] ?? reason);
  const [, status] = /^Proxy response \((\d+)\)/.exec(Object(cause).message) ?? [];
  if (status !== undefined) {
    return `The proxy for ${origin} responded with ${status}. ${PROXY}`;
  }
  if (code === 'ECONNREFUSED' && port !== undefined && port !== effectivePort(url)) {
    return `Nothing accepts connections at ${address}:${port}, the proxy for ${origin}. ${PROXY}`;
  }
  if (code === 'ECONNREFUSED') {
    return `Nothing accepts connections at ${origin}. Is the receiver running?`;
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return `The server at ${origin} does not speak TLS. If it serves plain HTTP, write http:// in the URL.`;
  }
  if (/SELF_SIGNED|^UNABLE_TO_/.test(code ?? '')) {
    return `The certificate of ${origin} is not trusted: ${code}. If it is yours, set NODE_EXTRA_CA_CERTS to the file of its authority.`;
  }
  return name === 'TimeoutError'
    ? `No response from ${origin} within ${seconds} s`
    : `No response from ${origin}: ${code ?? message}`;
};

/** Posts a body with its headers, except those of a connection. Redirects are not followed. */
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
    const text = await readBeginning(response);
    const line = `${status} ${oneLine(text.slice(0, MAX_SHOWN))}`.trimEnd();
    return { response: { status, headers: headersToForward(response.headers), body: text }, line };
  } catch (error) {
    return {
      response: createWebhookResponse(502, { error: 'NO_RESPONSE_FROM_APP' }),
      line: describeFailure(error, url, seconds),
    };
  }
};
