import { isObject, typeName } from '@confab/internal';
import { WebhookConfigurationError, WebhookError } from './errors.ts';

/** The headers of a delivery, in any shape that frameworks use. Names may have any case. */
export type HeadersLike =
  | Headers
  | { readonly [name: string]: string | readonly string[] | undefined }
  | Iterable<readonly [name: string, value: string]>
  /** Alternating names and values, as in `rawHeaders` of node:http. */
  | readonly string[];

/** Lists pairs of a name with one value or several. */
const entriesOf = (headers: unknown): Iterable<unknown> => {
  if (typeof headers !== 'object' || headers === null) {
    return [];
  }
  if (Array.isArray(headers) && typeof headers[0] === 'string') {
    return Array.from({ length: headers.length / 2 }, (_, index) => headers.slice(index * 2, index * 2 + 2));
  }
  return Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
};

/** A header with one value. */
export type Header = readonly [name: string, value: string];

/**
 * Lists all headers in order, with one pair for each value. Skips names and values that are not strings, because anyone
 * can send them.
 */
export const listHeaders = (headers: unknown): Header[] => {
  const pairs: Header[] = [];
  for (const entry of entriesOf(headers)) {
    const [name, value] = Array.isArray(entry) ? entry : [];
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof name === 'string' && typeof text === 'string') {
        pairs.push([name, text]);
      }
    }
  }
  return pairs;
};

/** Converts headers to `Headers`, without names and values that `Headers` refuses. */
export const toHeaders = (headers: unknown): Headers => {
  if (headers instanceof Headers) {
    return headers;
  }
  const result = new Headers();
  for (const [name, value] of listHeaders(headers)) {
    try {
      result.append(name, value);
    } catch {
      // A name or value that HTTP forbids cannot have arrived over HTTP.
    }
  }
  return result;
};

/** Returns every value of one header. `Headers` joins repeated headers, so a single value can still contain two. */
export const valuesOf = (headers: unknown, name: string): string[] => {
  if (headers instanceof Headers) {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  return listHeaders(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value);
};

export const ambiguousHeaderError = (name: string): WebhookError =>
  new WebhookError(
    'AMBIGUOUS_SIGNATURE',
    `The delivery has several "${name}" headers. Check the proxies in front of this receiver.`,
  );

/**
 * Returns the value of a header that must occur exactly once.
 *
 * @param name In lower case.
 * @throws A {@link WebhookError} when the header is missing or repeated, with `code: 'MISSING_SIGNATURE'` or
 * `'AMBIGUOUS_SIGNATURE'`.
 * @throws A {@link WebhookConfigurationError} when `headers` is a text, a promise or an object that has headers.
 */
export const readSingleHeader = (headers: unknown, name: string): string => {
  const [value, ...more] = valuesOf(headers, name);
  if (more.length > 0) {
    throw ambiguousHeaderError(name);
  }
  if (value === undefined || value === '') {
    const type = typeName(headers);
    if (/^a (?:string|Promise)/.test(type) || isObject(Object(headers).headers)) {
      throw new WebhookConfigurationError(`Pass request.headers, not ${type}.`);
    }
    throw new WebhookError(
      'MISSING_SIGNATURE',
      `The delivery has no "${name}" header. \`npx @confab/webhooks listen\` finds the right one.`,
    );
  }
  return value;
};
