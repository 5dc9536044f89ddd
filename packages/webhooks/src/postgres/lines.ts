import { settledWithin } from '../settled-within.ts';

/**
 * Creates a function that runs tasks of the same name one after the other. It resolves to `undefined`, without having run
 * the task, if its turn does not come within the limit.
 */
export const createLines = () => {
  /** By name: settles once the last task has ended. */
  const lines = new Map<string, Promise<void>>();
  return async <Result>(
    name: string,
    limitMs: number,
    task: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    const before = lines.get(name) ?? Promise.resolve();
    let isLate = false;
    const result = before.then(() => (isLate ? undefined : task()));
    const leave = () => {
      if (lines.get(name) === ended) {
        lines.delete(name);
      }
    };
    const ended: Promise<void> = result.then(leave, leave);
    lines.set(name, ended);
    isLate = !(await settledWithin(limitMs, before));
    return isLate ? undefined : result;
  };
};
