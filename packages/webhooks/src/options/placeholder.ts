/** Whether a text is what `String()` or a template literal makes of a value that is missing or no text. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:undefined|null|none|nil|nan|\[object \w+])$/i.test(text);

/** What is wrong with a placeholder, and what to do. */
export const placeholderProblem = (text: string): string =>
  `is the text "${text}", which stands for a missing value. Is its environment variable set?`;
