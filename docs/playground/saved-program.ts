const KEY = 'confab-playground-program';

/** The program that was in the editor last, unless the browser keeps nothing. */
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
    // The storage is full or blocked: the program lasts as long as the page.
  }
};
