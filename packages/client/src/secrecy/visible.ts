/**
 * Escapes the invisible characters of a name. A byte order mark, which Excel writes at the start of a CSV file, would make a
 * wrong name look right.
 */
export const visible = (name: string): string =>
  name.replace(/(?! )[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
