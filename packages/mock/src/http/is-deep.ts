import { endOfString } from './end-of-string.ts';

/** The deepest nesting that JSON may have; the API's own has two levels. */
export const MAX_DEPTH = 100;

const QUOTE = 0x22;
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
