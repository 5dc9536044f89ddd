const segments = new Intl.Segmenter();

/** Characters that terminals show two columns wide: those of East Asia but for the halfwidth forms, and most emoji. */
const WIDE =
  /^(?![\uff61-\uffdc])(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u;

const PLAIN = /^[\x20-\x7e]*$/;

const columnsOf = (segment: string): number => (WIDE.test(segment) ? 2 : 1);

/** The number of columns that a text takes in a terminal. An accent or an emoji of several characters counts once. */
export const widthOf = (text: string): number =>
  PLAIN.test(text)
    ? text.length
    : [...segments.segment(text)].reduce((sum, { segment }) => sum + columnsOf(segment), 0);

/** Cuts a text to a number of columns; what was cut shows as `…`. */
export const cut = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) {
    return text;
  }
  let kept = '';
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    width += columnsOf(segment);
    if (width > columns - 1) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
};

/** Fills a text with spaces up to a number of columns. */
export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));
