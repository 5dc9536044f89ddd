import { readFileSync, writeFileSync } from 'node:fs';

/** What a process used between `begin` and `end`. */
export interface Usage {
  /** The most resident memory above what the process held at the beginning, in bytes. */
  readonly memory: number;
  /** The longest time that the event loop was busy without a break, in milliseconds of processor time. */
  readonly stall: number;
  /** Milliseconds of processor time that the main thread used in all. */
  readonly work: number;
}

const TICK_MS = 5;

/** Reads a figure of the kernel about this process, in bytes. */
const readMemory = (name: 'VmRSS' | 'VmHWM'): number => {
  const [, kib] =
    new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kib === undefined) {
    throw new Error(`/proc/self/status has no ${name}: these checks need Linux.`);
  }
  return Number(kib) * 1024;
};

/** Returns the processor time of the main thread. A busy machine and the helpers of the garbage collector do not count. */
const busyMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Measures this process. Only one measurement can be in progress. */
export const beginUsage = (): (() => Usage) => {
  globalThis.gc?.();
  // Writing 5 resets the peak (VmHWM) to what is resident now.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = readMemory('VmRSS');

  let stall = 0;
  const start = busyMs();
  let last = start;
  const sample = () => {
    const now = busyMs();
    stall = Math.max(stall, now - last);
    last = now;
  };
  const timer = setInterval(sample, TICK_MS);
  return () => {
    clearInterval(timer);
    sample();
    return { memory: readMemory('VmHWM') - before, stall, work: last - start };
  };
};
