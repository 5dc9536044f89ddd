import { appendFileSync, readFileSync } from 'node:fs';

/**
 * What happened to a delivery, in the order in which it happened:
 * - `start`: its handler was called
 * - `finish`: its handler did all its work and is about to return
 * - `fail`: its handler threw
 * - `completed`: Redis confirmed that the delivery is marked as handled
 * - `killed`: the process has been killed with SIGKILL and is dead. It names no delivery.
 */
export type Step = 'start' | 'finish' | 'fail' | 'completed' | 'killed';

/** One line of the journal. */
export interface Entry {
  readonly step: Step;
  /** The process that did it. */
  readonly pid: number;
  readonly delivery?: string;
}

/** The id of a delivery is the sender's id, a dash, and the 64 digits of the digest of its body. */
export const senderIdOf = (id: string): string => id.slice(0, -65);

/**
 * Appends a line. All processes append to one file, and each line is one write, so the order of the lines is the order of
 * events. A line that was written survives the death of its process.
 */
export const append = (path: string, { step, pid, delivery = '' }: Entry): void => {
  appendFileSync(path, `${step} ${pid} ${delivery}\n`);
};

/** Reads all lines. */
export const readJournal = (path: string): Entry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [step, pid, delivery = ''] = line.split(' ');
      return { step: step as Step, pid: Number(pid), delivery };
    });
