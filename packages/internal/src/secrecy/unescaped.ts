/** The HTML entities that every escaping writes. */
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
]);

/** Replaces any other HTML entity with a name, such as `&lowbar;`: the names are too many to list. */
const ANY = '\0';

/** Maximum number of nested escapes to undo. JSON in HTML in a URL has three. */
const LAYERS = 5;

/**
 * An ASCII character as URLs, HTML and string literals write it, or backslashes, of which each layer of quotes adds some.
 * Backslashes before `%` or `&` wait for the next layer: in `\%7841` they belong to the escape `\x41`.
 * Every part is either bounded or consumed by its match, so a search takes linear time.
 */
const ESCAPE =
  /&#0{0,5}(\d{2,3});?|&([a-z]\w{1,30});|&#x0{0,5}([2-7][\da-f]);?|%(?:u00)?([2-7][\da-f])|\\+(?:(?:u00|x)([2-7][\da-f])|u\{0{0,4}([2-7][\da-f])\}|(?!%|&))/gi;

/** Returns the character that a match of `ESCAPE` stands for, or an empty text for backslashes. */
const characterOf = (
  _: string,
  decimal?: string,
  name?: string,
  html?: string,
  url?: string,
  short?: string,
  braced?: string,
): string => {
  if (name !== undefined) {
    return ENTITIES.get(name) ?? ANY;
  }
  const hex = html ?? url ?? short ?? braced;
  return decimal || hex ? String.fromCharCode(Number(decimal ?? `0x${hex}`)) : '';
};

const hasEscapes = (text: string): boolean => /[%&\\]/.test(text);

/**
 * Undoes the escapes of a text, and escapes inside them.
 *
 * @param each Called with the text, and with what each layer leaves of it. The next layer reads its result.
 *
 * @example
 * ```ts
 * unescaped('%2B55 &amp; more'); // '+55 & more'
 * ```
 */
export const unescaped = (text: string, each = (layer: string) => layer): string => {
  let plain = each(text);
  for (let layer = 0; layer < LAYERS && hasEscapes(plain); layer += 1) {
    plain = each(plain.replace(ESCAPE, characterOf));
  }
  return plain;
};
