const KEY = 'confab-playground-program';

/** Returns the program of the last visit, unless the browser stores nothing. */
export const savedProgram = (): string | undefined => {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Keeps a program for the next visit. */
export const saveProgram = (program: string): void => {
  try {
    localStorage.setItem(KEY, program);
  } catch {
    // The storage is full or blocked, so the program lasts only until the page is closed.
  }
};
