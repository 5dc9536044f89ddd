import { pathName, writeJson } from '@confab/internal';
import { UNLIMITED } from '../control/routes.ts';
import { invalidArgument } from '../errors/mock-error.ts';

/**
 * Writes a value as JSON for a server.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when JSON would leave out or change a part of the value, such as a
 * function, `NaN` or a regular expression. The message has the path of that part.
 */
export const toJson = (root: unknown): string => {
  const { text, lost } = writeJson(root);
  const problem = lost.find(
    ({ path, value }) => value !== Number.POSITIVE_INFINITY || !UNLIMITED.includes(String(path.at(-1))),
  );
  if (problem !== undefined) {
    const { path, what } = problem;
    const subject = path.length === 0 ? `A value that is ${what}` : `\`${pathName(path)}\` is ${what}, which`;
    throw invalidArgument(
      `${subject} cannot be sent to a remote mock. Pass values that JSON can express, or control the mock in its own process.`,
    );
  }
  return String(text);
};
