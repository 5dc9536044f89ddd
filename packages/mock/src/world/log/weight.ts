/** Bytes of a logged request or a delivery, without its texts. */
const BASE = 512;

/** Bytes of a parsed value, such as a number or an object without fields. */
const VALUE = 48;

const [COMMA, COLON, BRACKET, BRACE] = [0x2c, 0x3a, 0x5b, 0x7b];

/** The most values that a JSON text can contain. */
const valuesIn = (json: string): number => {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === COMMA || unit === COLON || unit === BRACKET || unit === BRACE) {
      count += 1;
    }
  }
  return count;
};

/**
 * Estimates the memory that texts take, in bytes. Parsed JSON may take ten times as much as its text.
 *
 * @param json A JSON text that is kept parsed.
 * @param texts Texts that are kept as they are.
 */
export const weightOf = (json: string, ...texts: readonly string[]): number => {
  let weight = BASE + 2 * json.length + VALUE * valuesIn(json);
  for (const text of texts) {
    weight += 2 * text.length;
  }
  return weight;
};
