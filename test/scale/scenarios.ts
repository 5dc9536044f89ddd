import type { Process, Scenario, Stage } from './simulate.ts';
import { LIMIT } from './simulate.ts';

const PROCESSES = 10_000;

/** The requests per second of a process if all get the same. */
const FAIR_RATE = LIMIT.requests / (LIMIT.perMs / 1_000) / PROCESSES;

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

/** Starts a process that makes calls at random moments, `perSecond` of them on average. */
const startSteady = ({ start, after, random }: Stage, perSecond = 1.5 * FAIR_RATE): Process => {
  const process = start();
  const next = () =>
    after((-Math.log(1 - random()) * 1_000) / perSecond, () => {
      if (process.alive) {
        process.call();
        next();
      }
    });
  next();
  return process;
};

const steady = (stage: Stage): void => {
  times(PROCESSES, () => startSteady(stage));
};

/** Every process makes ten calls at the start. */
const allAtOnce = ({ start }: Stage): void => {
  for (const process of times(PROCESSES, start)) {
    times(10, process.call);
  }
};

/** One process in twenty wants more than its share, with 50 calls at once. The others want half of their share. */
const greedy = (stage: Stage): void => {
  for (const process of times(PROCESSES / 20, () => stage.start(50))) {
    times(100, process.call);
  }
  times(PROCESSES - PROCESSES / 20, () => startSteady(stage, FAIR_RATE / 2));
};

/** Each second, one process in a hundred is killed with the places that it has, and a new one starts in its place. */
const turnover = (stage: Stage): void => {
  const running = times(PROCESSES, () => startSteady(stage));
  const replaceSome = () => {
    for (const started of times(PROCESSES / 100, () => startSteady(stage))) {
      const place = Math.floor(stage.random() * PROCESSES);
      for (const killed of running.splice(place, 1, started)) {
        killed.alive = false;
      }
    }
    stage.after(1_000, replaceSome);
  };
  stage.after(1_000, replaceSome);
};

/** The scenarios in docs/proof/scale.md. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'all start at once', seconds: 60, play: allAtOnce },
  { name: 'steady, 1.5 times the limit', seconds: 60, play: steady },
  { name: 'one in 20 is greedy', seconds: 60, play: greedy },
  { name: 'Redis away from 20 s to 50 s', seconds: 80, outage: [20_000, 50_000], play: steady },
  { name: 'one in 100 replaced each second', seconds: 60, play: turnover },
];
