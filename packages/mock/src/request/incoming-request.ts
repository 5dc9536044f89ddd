import { createGrowingBuffer, isLoopback, rejectOnAbort, typeName } from '@confab/internal';
import { isUrl, throwIfInvalid } from '../errors/check.ts';
import { NOT_UTF8 } from './json.ts';

/** A request, in the same shape from every host. */
export interface IncomingRequest {
  readonly method: string;
  /** The path below the base URL, still encoded: `/api/v2/public/leads`. */
  readonly path: string;
  /** The query without its question mark. */
  readonly search: string;
  /** Whether the request came over TLS or from this machine. */
  readonly secure: boolean;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal | undefined;
  /** The value of one header, or null. */
  header(name: string): string | null;
  /** All headers. */
  headers(): Headers;
  /** Reads the body; `undefined` if it is larger than 1 MiB. Rejects once the caller goes away. */
  body(): string | undefined | Promise<string | undefined>;
}

/** The start of the path of every operation. Hosts that share their origin with other servers handle no other paths. */
export const API_PATH = '/api/v2/public';

/** Returns the method that selects the operation: HEAD is a GET whose response has no body. */
export const toRoutedMethod = ({ method }: Pick<IncomingRequest, 'method'>): string =>
  method === 'HEAD' ? 'GET' : method;

/** The parts of a mock's base URL. */
export interface BaseUrl {
  /** The URL without a trailing slash. */
  readonly href: string;
  readonly origin: string;
  /** The part of the path before that of the operation; usually empty. */
  readonly prefix: string;
}

const isBaseUrl = isUrl(', query or fragment', (url) => !/[?#]/.test(url.href));

/**
 * Parses a base URL.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not an http or https URL, or has a user name, a query or a
 * fragment.
 */
export const toBaseUrl = (value: string | URL, name = 'baseUrl'): BaseUrl => {
  throwIfInvalid(isBaseUrl(name, value));
  const { origin, pathname } = new URL(value);
  const prefix = pathname.replace(/\/+$/, '');
  return { href: origin + prefix, origin, prefix };
};

/** Returns the parts of an {@link IncomingRequest} that its URL determines. */
export const parseTarget = (url: URL, prefix = ''): Pick<IncomingRequest, 'path' | 'search' | 'secure'> => ({
  // A path outside the prefix must match no operation, but stay readable in the log.
  path: url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : `..${url.pathname}`,
  search: url.search.slice(1),
  secure: url.protocol === 'https:' || isLoopback(url.hostname),
});

/** The most bytes of a body that the mock reads: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Converts a `Request`. */
export const fromRequest = (request: Request, url: URL, prefix: string): IncomingRequest => ({
  ...parseTarget(url, prefix),
  method: request.method,
  signal: request.signal,
  header: (name) => request.headers.get(name),
  headers: () => request.headers,
  body: () => rejectOnAbort(readBody(request), request.signal),
});

/**
 * Converts simple arguments of `fetch`; returns `undefined` for all others. It saves creating a `Request`, which would
 * halve the rate of the mock.
 */
export const fromPlainArguments = (
  url: URL,
  init: RequestInit,
  prefix: string,
): IncomingRequest | undefined => {
  const { method = 'GET', signal, headers: given, body: sent, redirect = 'follow', ...others } = init;
  // The client sends null for no body.
  const body = sent ?? '';
  const isPlain =
    typeof body === 'string' &&
    // A UTF-16 unit takes at most three bytes, so few bodies have to be measured.
    body.length * 3 <= MAX_BODY_BYTES &&
    // A lone surrogate would be replaced when it is sent.
    !/\p{Surrogate}/u.test(body) &&
    (method === 'GET' ? body === '' : /^(?:POST|PATCH)$/.test(method)) &&
    /^(?:follow|manual|error)$/.test(redirect) &&
    Object.keys(others).length === 0;
  if (!isPlain || url.username !== '' || url.password !== '') {
    return undefined;
  }
  const headers = new Headers(given);
  return {
    ...parseTarget(url, prefix),
    method,
    signal: signal ?? undefined,
    header: (name) => headers.get(name),
    headers: () => headers,
    body: () => body,
  };
};

/**
 * Decodes bytes. Unlike `Request.text()`, it keeps a byte order mark, so that every host reads the same text.
 *
 * @throws A {@link TypeError} when `fatal` is true and the bytes are not UTF-8.
 */
export const decodeText = (bytes: Uint8Array, fatal = false): string =>
  new TextDecoder('utf-8', { ignoreBOM: true, fatal }).decode(bytes);

/** Returns the text of a body, or {@link NOT_UTF8}. */
export const decodeBody = (bytes: Uint8Array): string => {
  try {
    return decodeText(bytes, true);
  } catch {
    return NOT_UTF8;
  }
};

/** Reads the bytes of a stream. Stops and returns `undefined` after `maxBytes`. */
export const readStream = async (
  stream: ReadableStream<Uint8Array | string>,
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array | undefined> => {
  const buffer = createGrowingBuffer(maxBytes);
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // Like Node's `fetch`, it accepts text.
    const chunk = typeof next.value === 'string' ? new TextEncoder().encode(next.value) : next.value;
    if (!ArrayBuffer.isView(chunk)) {
      throw new TypeError(`A chunk of a stream must be bytes, got ${typeName(chunk)}`);
    }
    if (!buffer.append(chunk)) {
      // The sender may go on forever, and it does not matter here whether it stops.
      reader.cancel().catch(() => {});
      return undefined;
    }
  }
  return buffer.bytes();
};

/** Reads the body of a request within this process; `undefined` if it is larger than 1 MiB. */
const readBody = async (request: Request): Promise<string | undefined> => {
  if (request.body === null) {
    return '';
  }
  try {
    // In some browsers, requests have no `body`, so they must be read as a whole.
    const { body = new Blob([await request.arrayBuffer()]).stream() } = request;
    const bytes = await readStream(body);
    return bytes && decodeBody(bytes);
  } catch (cause) {
    // The platform's fetch throws the same error when it cannot send a body.
    throw request.signal.aborted ? request.signal.reason : new TypeError('fetch failed', { cause });
  }
};
