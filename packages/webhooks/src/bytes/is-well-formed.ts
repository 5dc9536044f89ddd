/** `String.prototype.isWellFormed`, which the es2023 library does not declare yet. */
type Es2024String = string & { isWellFormed(): boolean };

/** False if a text holds a lone surrogate, which an encoder would replace without a word. */
export const isWellFormed = (text: string): boolean => (text as Es2024String).isWellFormed();
