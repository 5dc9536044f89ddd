/** Whether a text is what `String()` or a template literal makes of a missing value, or of one that is not text. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:undefined|null|none|nil|nan|\[object \w+])$/i.test(text);

/** Explains what is wrong with a placeholder, and what to do. */
export const placeholderProblem = (text: string): string =>
  `is the text "${text}". Is its environment variable set?`;
