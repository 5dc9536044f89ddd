import type { EnsureProgress } from '@confab/client';

/** The part of `process.stderr` that is used. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Shows the progress of an import. */
export interface ProgressDisplay {
  update(progress: EnsureProgress, total: number): void;
  /** Prints a line. */
  print(line: string): void;
  /** Shows the latest progress, and ends the line. */
  end(): void;
}

const WIDTH = 24;

/** Milliseconds between two updates, on a terminal and elsewhere. */
const REDRAW_EVERY = 100;
const PRINT_EVERY = 5_000;

const format = (count: number): string => count.toLocaleString('en-US');

/** Writes counts as `1,204 of 5,000 rows: 1,200 created, 4 failed`. */
export const describeProgress = (progress: EnsureProgress, total: number): string => {
  const counts = (['created', 'existing', 'unknown', 'failed'] as const)
    .filter((name) => progress[name] > 0)
    .map((name) => `${format(progress[name])} ${name}`);
  return `${format(progress.done)} of ${format(total)} rows${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`;
};

const drawBar = (done: number, total: number): string => {
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`;
};

/** Draws a bar on a terminal. Prints a line every few seconds elsewhere, such as in a log file. */
export const createProgressDisplay = (output: Output, now: () => number = Date.now): ProgressDisplay => {
  let latest: readonly [progress: EnsureProgress, total: number] | undefined;
  let shown: typeof latest;
  let shownAt = now();

  const show = () => {
    if (latest === undefined || latest === shown) {
      return;
    }
    const [progress, total] = latest;
    const text = describeProgress(progress, total);
    // Back to the start of the line, and clear it.
    output.write(output.isTTY ? `\r\u001b[K${drawBar(progress.done, total)} ${text}` : `${text}\n`);
    shown = latest;
    shownAt = now();
  };

  return {
    update(progress, total) {
      latest = [progress, total];
      if (now() - shownAt >= (output.isTTY ? REDRAW_EVERY : PRINT_EVERY)) {
        show();
      }
    },
    print(line) {
      output.write(`${output.isTTY ? '\r\u001b[K' : ''}${line}\n`);
      // The bar is drawn again below the line.
      shown = undefined;
    },
    end() {
      show();
      if (output.isTTY && latest !== undefined) {
        output.write('\n');
      }
    },
  };
};
