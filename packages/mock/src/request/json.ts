const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The position of the quote that ends the string of a JSON text which starts at a position. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
};

/** The deepest nesting that JSON may have; the API's own has two levels. */
const MAX_DEPTH = 100;

const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text is nested so deeply that code which walks its value could run out of stack.
 *
 * JSON.parse accepts any depth; JSON.stringify, structuredClone and the comparisons of tests do not.
 */
export const isDeep = (text: string): boolean => {
  // Each level opens and closes.
  if (text.length <= 2 * MAX_DEPTH) {
    return false;
  }
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (OPENING.has(unit)) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return true;
      }
    } else if (CLOSING.has(unit)) {
      depth -= 1;
    }
  }
  return false;
};

/** A body: its JSON value, or its text together with the reason why it is not JSON. */
export interface ReadJson {
  readonly value: unknown;
  /** Why the text was not accepted as JSON: `must be JSON, not empty`. */
  readonly problem: string | undefined;
}

/** Reads a text as JSON, ignoring a byte order mark at its start. */
export const readJson = (body: string): ReadJson => {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  // Most requests have no body, and an exception for each of them would cost more than everything else.
  if (text === '') {
    return { value: undefined, problem: 'must be JSON, not empty' };
  }
  if (isDeep(text)) {
    return { value: text, problem: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  try {
    return { value: JSON.parse(text), problem: undefined };
  } catch {
    return { value: text, problem: 'is not valid JSON' };
  }
};
