/** The deepest nesting of JSON that the mock accepts. The API's own JSON has two levels. */
const MAX_DEPTH = 100;

/**
 * Whether a JSON value is nested too deeply. JSON.parse accepts any depth, but JSON.stringify, structuredClone and the
 * comparisons of tests could run out of stack.
 */
export const isDeep = (value: unknown, levels = MAX_DEPTH): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeep(part, levels - 1)));

/** A body: its JSON value, or its text and the reason why it was not accepted as JSON. */
export interface ReadJson {
  readonly value: unknown;
  /** Why the text was not accepted as JSON: `must be JSON, not empty`. */
  readonly problem: string | undefined;
}

/** Stands for a body that is not UTF-8. Replacement characters would look as if they had been sent. */
export const NOT_UTF8 = '(a body that is not UTF-8)';

/** Reads a text as JSON, ignoring a byte order mark at its start. */
export const readJson = (body: string): ReadJson => {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  // Most requests have no body, and an exception for each would cost more than the rest of the request.
  if (text === '') {
    return { value: undefined, problem: 'must be JSON, not empty' };
  }
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes two brackets, so a shorter text cannot be too deep.
    return text.length > 2 * MAX_DEPTH && isDeep(value)
      ? { value: text, problem: `must not be nested deeper than ${MAX_DEPTH} levels` }
      : { value, problem: undefined };
  } catch {
    return {
      value: text,
      problem: text === NOT_UTF8 ? 'is not UTF-8, as JSON must be' : 'is not valid JSON',
    };
  }
};
