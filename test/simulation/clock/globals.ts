/**
 * Importing this file replaces whatever could bring real time, chance or a second thread into a run: timers, `Date.now`,
 * `Math.random`, random UUIDs, and the hash of WebCrypto. The packages look some of these up when they are imported, so
 * this must be imported first.
 */
import { createHash } from 'node:crypto';
import type { Random } from '../../support/random.ts';
import type { Timeline } from '../../support/timeline.ts';

/** Where the replaced functions get time and chance from during a run. */
interface Source {
  readonly timeline: Timeline;
  readonly random: Random;
}

let source: Source | undefined;
/** Callbacks of `setImmediate` that have not run. */
let immediates = 0;

const { setTimeout, clearTimeout, setImmediate } = globalThis;
const { now } = Date;
const { random } = Math;
const uuid = crypto.randomUUID.bind(crypto);
const digest = crypto.subtle.digest.bind(crypto.subtle);

const uuidOf = ({ integer }: Random): string => {
  const hex = Array.from({ length: 32 }, () => integer(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

Object.assign(globalThis, {
  setTimeout: (run: (...given: unknown[]) => void, ms: number, ...given: unknown[]): unknown =>
    source === undefined
      ? setTimeout(run, ms, ...given)
      : // The function that cancels the entry serves as the timer.
        Object.assign(
          source.timeline.after(ms, 'timer', () => run(...given)),
          { unref: () => {} },
        ),
  clearTimeout: (timer: unknown): void =>
    typeof timer === 'function' ? timer() : clearTimeout(timer as NodeJS.Timeout),
  setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]): unknown => {
    immediates += 1;
    return setImmediate(() => {
      immediates -= 1;
      run(...given);
    });
  },
});
Date.now = () => source?.timeline.now() ?? now();
Math.random = () => source?.random.next() ?? random();
crypto.randomUUID = () =>
  source === undefined ? uuid() : (uuidOf(source.random) as ReturnType<typeof uuid>);
crypto.subtle.digest = async (algorithm, bytes) =>
  source === undefined
    ? digest(algorithm, bytes)
    : new Uint8Array(
        createHash(String(algorithm).replace('-', ''))
          .update(bytes as Uint8Array)
          .digest(),
      ).buffer;

/** Connects the replaced functions with a run; `undefined` restores the platform's own. */
export const useSource = (next: Source | undefined): void => {
  source = next;
};

/**
 * Resolves once everything that can run has run. A turn of the event loop empties the queue of promises. A further turn is
 * needed only if one of them called `setImmediate`.
 */
export const untilQuiet = async (): Promise<void> => {
  do {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  } while (immediates > 0);
};
