const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The position of the quote that ends the string of a JSON text which starts at a position. */
export const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
};
