import type { Line } from './messages.ts';

/** The most characters of a run's output: laying out millions of them would freeze the page. */
const MAX_OUTPUT = 100_000;

const CUT: Line = {
  level: 'warn',
  text: `Only the first ${MAX_OUTPUT / 1_000} kB of the output are shown.`,
};

/** Collects the lines of a run, and shows them once for each frame of the page, not one by one. */
export const createOutput = (show: (lines: readonly Line[]) => void) => {
  const lines: Line[] = [];
  let characters = 0;
  let isWaiting = false;
  const flush = (): void => {
    isWaiting = false;
    show([...lines]);
  };
  return {
    flush,
    add(line: Line): void {
      if (characters > MAX_OUTPUT) {
        return;
      }
      characters += line.text.length;
      lines.push(characters > MAX_OUTPUT ? CUT : line);
      if (!isWaiting) {
        isWaiting = true;
        requestAnimationFrame(flush);
      }
    },
  };
};
