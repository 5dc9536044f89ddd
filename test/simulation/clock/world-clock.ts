import type { WorldClock } from '../../../packages/mock/src/world/clock/clock.ts';
import { sleepOn, timersOf } from '../../timeline/sleep.ts';
import type { Timeline } from '../../timeline/timeline.ts';

const refuse = async (): Promise<never> => {
  throw new Error('Only the timeline moves the time of a simulation');
};

/** The clock of the mock: the timeline itself, which needs no signs of work under way, because it waits for quiet. */
export const createWorldClock = (timeline: Timeline): WorldClock => {
  const sleep = (ms: number, signal?: AbortSignal) => sleepOn(timersOf(timeline), ms, signal);
  return {
    kind: 'virtual',
    now: () => timeline.now(),
    sleep,
    sleepWhile: (ms, _pulls, signal) => sleep(ms, signal),
    busy: () => () => {},
    outside: () => () => {},
    hanging: () => () => {},
    poke: () => {},
    advance: refuse,
    set: refuse,
    close: () => {},
    load: () => {},
  };
};
