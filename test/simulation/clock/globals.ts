import { createHash } from 'node:crypto';
import type { Timeline } from '../../timeline/timeline.ts';
import type { Random } from './random.ts';

/** Where the replaced functions get time and chance from, while a simulation runs. */
interface Source {
  readonly timeline: Timeline;
  readonly random: Random;
}

let source: Source | undefined;
/** Callbacks of `setImmediate` that have not run. */
let immediates = 0;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  random: Math.random,
  uuid: crypto.randomUUID.bind(crypto),
  digest: crypto.subtle.digest.bind(crypto.subtle),
};

const replace = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
};

const uuidOf = (random: Random): string => {
  const hex = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** A timer of the timeline in place of one of the platform. */
class Timer {
  readonly cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  unref(): this {
    return this;
  }
}

/**
 * Replaces what could bring real time, chance or another thread into a run: timers, `Date.now`, `Math.random`, random
 * UUIDs, and the hash of WebCrypto. The packages look some of these up when they are imported, so this must come first.
 */
export const installGlobals = (): void => {
  replace(
    globalThis,
    'setTimeout',
    (run: (...given: unknown[]) => void, ms: number, ...given: unknown[]): unknown =>
      source === undefined
        ? real.setTimeout(run, ms, ...given)
        : new Timer(source.timeline.after(ms, 'timer', () => run(...given))),
  );
  replace(globalThis, 'clearTimeout', (timer: unknown): void =>
    timer instanceof Timer ? timer.cancel() : real.clearTimeout(timer as NodeJS.Timeout),
  );
  replace(globalThis, 'setImmediate', (run: (...given: unknown[]) => void, ...given: unknown[]): unknown => {
    immediates += 1;
    return real.setImmediate(() => {
      immediates -= 1;
      run(...given);
    });
  });
  replace(Date, 'now', () => source?.timeline.now() ?? real.now());
  replace(Math, 'random', () => source?.random.next() ?? real.random());
  replace(crypto, 'randomUUID', () => (source === undefined ? real.uuid() : uuidOf(source.random)));
  replace(crypto.subtle, 'digest', async (algorithm: string, bytes: Uint8Array<ArrayBuffer>) => {
    if (source === undefined) {
      return real.digest(algorithm, bytes);
    }
    const digest = createHash(algorithm.replace('-', '')).update(bytes).digest();
    return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength);
  });
};

/** Connects the replaced functions with a run; `undefined` brings the platform's own back. */
export const useSource = (next: Source | undefined): void => {
  source = next;
};

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    real.setImmediate(resolve);
  });

/**
 * Resolves once everything that can run has run. A turn of the event loop empties the queue of promises; another one is
 * needed only if that called `setImmediate`.
 */
export const untilQuiet = async (): Promise<void> => {
  do {
    await turn();
  } while (immediates > 0);
};
