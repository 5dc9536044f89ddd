import { builtinModule } from '@confab/internal';
import { MockError } from '../../errors/mock-error.ts';

type Callable = (...args: unknown[]) => unknown;

/** Fake timers mark their functions: those of sinon, which vitest and Jest use, and Jest's legacy ones. */
const isReal = (value: unknown): value is Callable =>
  typeof value === 'function' && !('clock' in value) && !('_isMockFunction' in value);

/** Node's own module still has the timers that jsdom removes or fake timers replace. */
const nodeTimers = (): object => (builtinModule('node:timers') as object | undefined) ?? {};

/**
 * Finds a real timer function of the platform. Called when this module is loaded, so that fake timers that a test installs
 * later do not stop the clock.
 */
const find = (name: string): Callable | undefined =>
  [globalThis, nodeTimers()].map((from) => Reflect.get(from, name)).find(isReal);

const [setSystemTimeout, clearSystemTimeout] = [find('setTimeout'), find('clearTimeout')];
const immediate = find('setImmediate');
const Channel = isReal(globalThis.MessageChannel) ? globalThis.MessageChannel : undefined;

/** @throws A {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`, which every clock needs. */
export const checkTimers = (): void => {
  if (setSystemTimeout !== undefined && clearSystemTimeout !== undefined) {
    return;
  }
  throw new MockError(
    'NO_REAL_TIMERS',
    '@confab/mock found no real setTimeout when it was imported. Import it before fake timers are installed, in a setup file for example.',
  );
};

/** The longest delay of a platform timer, 24.8 days. A longer one fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Calls `run` after `ms` milliseconds of real time, at most 24.8 days. The returned function cancels the timer. */
export const realTimer = (ms: number, run: () => void): (() => void) => {
  const timer = setSystemTimeout?.(run, Math.min(ms, MAX_TIMER));
  return () => {
    clearSystemTimeout?.(timer);
  };
};

/** {@link realTimer} with the timers that are installed now, which may be fake. */
export const presentTimer = (ms: number, run: () => void): (() => void) => {
  const { setTimeout, clearTimeout } = globalThis;
  const timer = setTimeout(run, Math.min(ms, MAX_TIMER));
  return () => clearTimeout(timer);
};

/** Parts into which {@link suspendSafeTimer} divides its time. */
const PARTS = 10;

/**
 * Calls `run` after `ms` milliseconds of real time. A process that is suspended, or stopped at a breakpoint, loses at most
 * a tenth of that time. The returned function cancels the timer.
 *
 * @param ms Infinity for never.
 */
export const suspendSafeTimer = (ms: number, run: () => void): (() => void) => {
  let left = ms;
  let cancel = () => {};
  const wait = () => {
    const part = Math.min(left, Math.ceil(ms / PARTS));
    left -= part;
    cancel = realTimer(part, left > 0 ? wait : run);
  };
  if (ms !== Number.POSITIVE_INFINITY) {
    wait();
  }
  return () => cancel();
};

export const realDelay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    realTimer(ms, resolve);
  });

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (immediate !== undefined) {
      immediate(resolve);
    } else if (Channel !== undefined) {
      // Browsers delay nested timeouts by 4 ms each, but not messages.
      const { port1, port2 } = new Channel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else {
      realTimer(0, resolve);
    }
  });
