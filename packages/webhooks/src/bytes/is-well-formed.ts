/** Declares `String.prototype.isWellFormed`, which the es2023 library lacks. */
type Es2024String = string & { isWellFormed(): boolean };

/** Returns false for a text with a lone surrogate, which an encoder would silently replace. */
export const isWellFormed = (text: string): boolean => (text as Es2024String).isWellFormed();
