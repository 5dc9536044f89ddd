/** More branches than the three packages have. */
const MOST_BRANCHES = 1 << 16;

const hits = new Uint32Array(MOST_BRANCHES);
const touched = new Uint16Array(MOST_BRANCHES);
let touchedCount = 0;
let work = 0;
let budget = Number.POSITIVE_INFINITY;
let branches = 0;

/** One input made the code do more work than its target allows. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Reserves the number of a branch. */
export const newBranch = (): number => {
  branches += 1;
  return branches % MOST_BRANCHES;
};

/** Counts a branch that is taken. Instrumented code calls it, so it throws where the code is. */
export const hit = (branch: number): void => {
  work += 1;
  if (hits[branch] === 0) {
    touched[touchedCount] = branch;
    touchedCount += 1;
  }
  hits[branch] = (hits[branch] ?? 0) + 1;
  if (work > budget) {
    throw tooMuchWork();
  }
};

/** The error of an input that took too many branches. The code may have caught the one that `hit` threw. */
export const tooMuchWork = (): TooMuchWork | undefined =>
  work > budget ? new TooMuchWork(`took more than ${budget} branches`) : undefined;

/** Starts to count for one input. */
export const startInput = (most: number): void => {
  while (touchedCount > 0) {
    touchedCount -= 1;
    hits[touched[touchedCount] ?? 0] = 0;
  }
  work = 0;
  budget = most;
};

/** Puts counts into classes, as AFL does: a loop of 40 rounds is not news after one of 35. */
const sizeOf = (count: number): number =>
  count < 4 ? count : Math.min(7, 2 + Math.floor(Math.log2(count) / 2) + 1);

/** Calls the function with each feature of the input: a branch and how often it was taken. */
export const endInput = (visit: (feature: number) => void): void => {
  budget = Number.POSITIVE_INFINITY;
  for (let at = 0; at < touchedCount; at += 1) {
    const branch = touched[at] ?? 0;
    visit(branch * 8 + sizeOf(hits[branch] ?? 0));
  }
};
