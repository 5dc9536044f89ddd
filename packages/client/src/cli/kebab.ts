/** Writes a name as flags and commands are written: `displayName` becomes `display-name`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
