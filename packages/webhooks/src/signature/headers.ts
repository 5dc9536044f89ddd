/** The headers of a delivery, in any form that frameworks use. Names may have any case. */
export type HeadersLike =
  | Headers
  | { readonly [name: string]: string | readonly string[] | undefined }
  | Iterable<readonly [name: string, value: string]>
  /** Alternating names and values, as in `rawHeaders` of node:http. */
  | readonly string[];

type Visit = (name: string, value: string) => void;

const visitEach = (name: unknown, value: unknown, visit: Visit) => {
  if (typeof name !== 'string') {
    return;
  }
  if (typeof value === 'string') {
    visit(name, value);
  } else if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') {
        visit(name, item);
      }
    }
  }
};

/** Visits every header in order. Anything that cannot be a header is skipped, because a stranger may have sent it. */
export const forEachHeader = (headers: unknown, visit: Visit): void => {
  if (typeof headers !== 'object' || headers === null) {
    return;
  }
  if (Array.isArray(headers) && typeof headers[0] === 'string') {
    // `rawHeaders` of node:http alternates names and values.
    // Stryker disable next-line EqualityOperator: A header without a name is skipped.
    for (let index = 0; index < headers.length; index += 2) {
      visitEach(headers[index], headers[index + 1], visit);
    }
  } else if (Symbol.iterator in headers) {
    for (const pair of headers as Iterable<unknown>) {
      if (Array.isArray(pair)) {
        visitEach(pair[0], pair[1], visit);
      }
    }
  } else {
    for (const name of Object.keys(headers)) {
      visitEach(name, Reflect.get(headers, name), visit);
    }
  }
};

/**
 * Returns every value of one header.
 *
 * `Headers` joins repeated headers with a comma, so a single value can still contain two.
 *
 * @param name In lower case.
 */
export const headerValues = (headers: unknown, name: string): string[] => {
  // Stryker disable next-line ConditionalExpression,BlockStatement: Iterating finds the same value, more slowly.
  if (headers instanceof Headers) {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  const values: string[] = [];
  forEachHeader(headers, (key, value) => {
    // Stryker disable next-line ConditionalExpression: The comparison alone has the same result, more slowly.
    if (key.length === name.length && key.toLowerCase() === name) {
      values.push(value);
    }
  });
  return values;
};

/** Converts all headers to `Headers`, without those that `Headers` does not accept. */
export const toHeaders = (headers: unknown): Headers => {
  // Stryker disable next-line ConditionalExpression,BlockStatement: A copy has the same headers.
  if (headers instanceof Headers) {
    return headers;
  }
  const result = new Headers();
  forEachHeader(headers, (name, value) => {
    try {
      result.append(name, value);
    } catch {
      // A name or value that HTTP forbids cannot have arrived over HTTP.
    }
  });
  return result;
};
