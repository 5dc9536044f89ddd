/** Whether a text is what `String()` or a template literal makes of a missing value, or of one that is not text. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:undefined|null|none|nil|nan|\[object \w+])$/i.test(text);

/** Explains that an option is missing, in what way, and what to do. */
export const unsetProblem = (what: unknown): string => `is ${what}. Is its environment variable set?`;

/** Explains what is wrong with a placeholder, and what to do. */
export const placeholderProblem = (text: string): string => unsetProblem(`the text "${text}"`);
