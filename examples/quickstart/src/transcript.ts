import { styleText } from 'node:util';

type Style = 'bold' | 'cyan' | 'green';

/** Styles a text for a terminal, unless NO_COLOR is set. A pipe gets plain text. */
const applyStyle = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

let steps = 0;

/**
 * Prints the title of a step.
 *
 * @param code The code of the step, or what happens in it.
 */
export const step = (title: string, code: string): void => {
  steps += 1;
  console.log(
    `\n${String(steps).padStart(2)}. ${applyStyle('bold', `${title}:`)} ${applyStyle('cyan', code)}`,
  );
};

/** Prints a result of the step. */
export const say = (text: string): void => console.log(`    ${text}`);

/** Prints that the tour has succeeded. */
export const succeed = (text: string): void => console.log(`\n${applyStyle('green', text)}`);
