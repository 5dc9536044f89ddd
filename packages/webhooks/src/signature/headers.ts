/** The headers of a delivery, in whatever form the framework has them; names in any case. */
export type HeadersLike =
  | Headers
  | { readonly [name: string]: string | readonly string[] | undefined }
  | Iterable<readonly [name: string, value: string]>;

/** Every header as a pair, in order; what is not a header at all is passed over. */
function* headerPairs(headers: unknown): Generator<[name: string, value: string]> {
  if (typeof headers !== 'object' || headers === null) return;
  const entries: Iterable<unknown> =
    Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
  for (const entry of entries) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') continue;
    for (const value of Array.isArray(entry[1]) ? entry[1] : [entry[1]]) {
      if (typeof value === 'string') yield [entry[0], value];
    }
  }
}

/**
 * Every value of one header.
 *
 * `Headers` joins repeated ones with a comma, so a single value may still stand for two.
 *
 * @param name In lower case.
 */
export const headerValues = (headers: unknown, name: string): string[] => {
  if (headers instanceof Headers) {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  const values: string[] = [];
  for (const [key, value] of headerPairs(headers)) {
    if (key.length === name.length && key.toLowerCase() === name) values.push(value);
  }
  return values;
};

/** All headers as `Headers`; one that `Headers` cannot hold is left out. */
export const toHeaders = (headers: unknown): Headers => {
  if (headers instanceof Headers) return headers;
  const result = new Headers();
  for (const [name, value] of headerPairs(headers)) {
    try {
      result.append(name, value);
    } catch {
      // A name or value that HTTP does not allow cannot have come over HTTP.
    }
  }
  return result;
};
