let steps = 0;

/** Prints what a step is about to do. */
export const step = (title: string): void => {
  steps += 1;
  console.log(`\n${String(steps).padStart(2)}. ${title}`);
};

/** Prints what came of it. */
export const say = (text: string): void => console.log(`    ${text}`);
