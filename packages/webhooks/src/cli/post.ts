import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ParseArgsConfig } from 'node:util';
import { UsageError } from '@confab/internal/cli';

/** Headers in the order and spelling in which they were sent. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The response to a request of {@link post}. */
export interface PostResult {
  readonly status: number;
  /** The beginning of the body. */
  readonly body: string;
}

/** Seconds that a receiver may take. */
const DEFAULT_SECONDS = 30;

/** The longest delay of a timer, in seconds. A longer one would end at once. */
const MOST_SECONDS = 2_147_483;

/** The flag of commands that wait for a response. */
export const timeoutFlags = { timeout: { type: 'string' } } as const satisfies ParseArgsConfig['options'];

/** How to wait for a response. */
interface Patience {
  /** Seconds until the receiver must have responded. */
  readonly seconds: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of a response to keep. */
const MOST_BYTES = 65_536;

/** Characters of a response to print. */
const MOST_SHOWN = 500;

/** They describe one connection, so the next one has its own. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Parses the URL of a receiver.
 *
 * @throws {@link UsageError} When it is not an http or https URL.
 */
export const urlFrom = (text: string, flag: string): URL => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${flag} must be an http or https URL, got ${JSON.stringify(text)}.`);
  }
  return url;
};

/**
 * Reads `--timeout`.
 *
 * @throws {@link UsageError} When it is not a positive number of seconds that a timer can wait.
 */
export const secondsFrom = ({ timeout }: { readonly timeout?: string | undefined }): number => {
  const seconds = timeout === undefined ? DEFAULT_SECONDS : Number(timeout);
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new UsageError(
      `--timeout must be a positive number of seconds up to ${MOST_SECONDS}, got ${JSON.stringify(timeout)}.`,
    );
  }
  return seconds;
};

/** Sends bytes with the given headers, unchanged. Redirects are not followed. Rejects when there is no response. */
export const post = (
  url: URL,
  headers: HeaderLines,
  body: Uint8Array,
  { seconds, signal }: Patience,
): Promise<PostResult> =>
  new Promise((resolve, reject) => {
    const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
    const fail = (error: unknown) => reject(timeout.aborted ? timeout.reason : error);
    const sent = headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase())).flat();
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: ['Host', url.host, 'Content-Length', String(body.byteLength), ...sent],
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    // Without a listener, a 101 would leave the promise pending, and the process would end in the middle.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    request.on('error', fail);
    request.on('close', () => reject(new Error('the connection closed')));
    request.on('response', (response) => {
      // From here on, the response reports what happens to the connection.
      request.removeAllListeners('close');
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString().slice(0, MOST_BYTES),
        });
      response.on('error', fail);
      response.on('close', () => reject(new Error('the connection closed')));
      response.on('end', finish);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > MOST_BYTES) {
          finish();
          response.destroy();
        }
      });
    });
    request.end(body);
  });

/** Describes a response in one line. */
export const describeResult = ({ status, body }: PostResult): string =>
  `${status} ${body.slice(0, MOST_SHOWN).replaceAll(/\p{Cc}+/gu, ' ')}`.trimEnd();

/** Says why there was no response. */
export const describeFailure = (url: URL, error: unknown, seconds: number): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `no response from ${url.origin} within ${seconds} s`;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  return `no response from ${url.origin}: ${code ?? message}`;
};

/** Sends a delivery and prints the response. Resolves to whether it was accepted. */
export const postAndPrint = async (
  url: URL,
  headers: HeaderLines,
  body: Uint8Array,
  { seconds, print }: { readonly seconds: number; readonly print: (line: string) => void },
): Promise<boolean> => {
  try {
    const result = await post(url, headers, body, { seconds });
    print(describeResult(result));
    return result.status >= 200 && result.status < 300;
  } catch (error) {
    print(describeFailure(url, error, seconds));
    return false;
  }
};
