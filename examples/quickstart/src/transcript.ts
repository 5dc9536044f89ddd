let steps = 0;

/** Prints the title of a step. */
export const step = (title: string): void => {
  steps += 1;
  console.log(`\n${String(steps).padStart(2)}. ${title}`);
};

/** Prints a result of the step. */
export const say = (text: string): void => console.log(`    ${text}`);
