/** Bytes that a logged request or a delivery takes beside its texts. */
const BASE = 512;

/** Bytes of a value in JSON, be it a number or an object without fields. */
const VALUE = 48;

const [COMMA, COLON, BRACKET, BRACE] = [0x2c, 0x3a, 0x5b, 0x7b];

/** How many values the JSON of a text has at most. */
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
 * Bytes of memory that something takes, about: its texts, and what the JSON among them becomes once it is parsed, which
 * may be ten times as much.
 *
 * @param json A text that is kept as its value.
 * @param texts What is kept as it is.
 */
export const weightOf = (json: string, ...texts: readonly string[]): number => {
  let weight = BASE + 2 * json.length + VALUE * valuesIn(json);
  for (const text of texts) {
    weight += 2 * text.length;
  }
  return weight;
};
