import type { SeedsResult } from './run-seeds.ts';

/** The numbers of a run. */
export const summary = ({ seeds, events, seconds, cpuSeconds }: SeedsResult): string =>
  `${seeds} seeds, ${events} events, ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(1)} seeds a second, ${((cpuSeconds / seeds) * 1_000).toFixed(0)} ms of CPU per seed`;

/** A line about a run that goes on. */
export const progressText = (soFar: SeedsResult): string =>
  `${summary(soFar)}${soFar.failed === 0 ? '' : `, ${soFar.failed} failed so far`}`;
