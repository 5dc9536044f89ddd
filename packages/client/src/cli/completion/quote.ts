/** Quotes a text for bash and zsh. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
