const messageFor = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const meetsToken = (message: string | undefined): boolean => message?.endsWith('is not valid JSON') === true;

/**
 * The position of an unexpected token, the only problem that the parser reports without one: the shortest prefix of the
 * text with that problem ends with the token.
 */
const tokenAt = (text: string): number => {
  let [without, within] = [0, text.length];
  while (within - without > 1) {
    const middle = (without + within) >>> 1;
    if (meetsToken(messageFor(text.slice(0, middle)))) {
      within = middle;
    } else {
      without = middle;
    }
  }
  return without;
};

const offsetOf = (text: string, message: string): number | undefined => {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    return Number(position);
  }
  if (message === 'Unexpected end of JSON input') {
    return text.length;
  }
  return meetsToken(message) ? tokenAt(text) : undefined;
};

/** Says what is wrong with a text that is not JSON, and where, without quoting its lines as the parser does. */
export const syntaxProblem = (text: string): string => {
  const message = messageFor(text) ?? '';
  const offset = offsetOf(text, message);
  // Another engine than Node's, with its own messages.
  if (offset === undefined) {
    return message;
  }
  const lines = text.slice(0, offset).split('\n');
  const place = `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  if (offset >= text.length) {
    return `it ends too early ${place}`;
  }
  const [, what] = /^(.+?)(?: in JSON)? at position/.exec(message) ?? [];
  return `${what ?? `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))}`} ${place}`;
};
