import type { Process, Scenario, Stage } from './simulate.ts';
import { BUDGET } from './simulate.ts';

const PROCESSES = 10_000;

/** Requests that a process may send in a second if all get the same. */
const FAIR_RATE = BUDGET.requests / (BUDGET.perMs / 1_000) / PROCESSES;

/** How much more than the budget the processes want, where there is too little for all. */
const OVERLOAD = 1.5;

/** Lets a process call at random moments, so many times a second on average. */
const callSteadily = (stage: Stage, process: Process, perSecond: number): void => {
  const next = () => {
    stage.at(stage.now() + (-Math.log(1 - stage.random()) * 1_000) / perSecond, () => {
      if (process.alive) {
        process.call();
        next();
      }
    });
  };
  next();
};

const startAll = (stage: Stage, count: number, perSecond: number): void => {
  for (let process = 0; process < count; process += 1) {
    callSteadily(stage, stage.start(), perSecond);
  }
};

const repeat = (count: number, work: () => void): void => {
  for (let done = 0; done < count; done += 1) {
    work();
  }
};

/** Every process has twenty calls to make from the first moment on. */
const allAtOnce = (stage: Stage): void => {
  repeat(PROCESSES, () => {
    const process = stage.start();
    repeat(20, process.call);
  });
};

const steady = (stage: Stage): void => startAll(stage, PROCESSES, FAIR_RATE * OVERLOAD);

/** One process in twenty has as many calls as it can make, 50 at once. The others want half of their share. */
const greedy = (stage: Stage): void => {
  repeat(PROCESSES / 20, () => {
    const process = stage.start(50);
    repeat(200, process.call);
  });
  startAll(stage, PROCESSES - PROCESSES / 20, FAIR_RATE / 2);
};

/** Each second, one process in a hundred is killed with the places it has, and another one starts. */
const turnover = (stage: Stage): void => {
  const running: Process[] = [];
  const add = () => {
    const process = stage.start();
    callSteadily(stage, process, FAIR_RATE * OVERLOAD);
    running.push(process);
  };
  repeat(PROCESSES, add);
  const exchange = () => {
    repeat(PROCESSES / 100, () => {
      const [leaver] = running.splice(Math.floor(stage.random() * running.length), 1);
      leaver?.kill();
      add();
    });
    stage.at(stage.now() + 1_000, exchange);
  };
  stage.at(1_000, exchange);
};

/** From when until when Redis is away in one scenario, in milliseconds. */
const OUTAGE = [20_000, 50_000] as const;

/** Every scenario of the page. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'all start at once', seconds: 60, line: true, play: allAtOnce },
  { name: 'steady, 1.5 times the limit', seconds: 60, line: true, play: steady },
  { name: 'one in 20 is greedy', seconds: 60, line: true, play: greedy },
  { name: 'Redis away from 20 s to 50 s', seconds: 80, line: true, outage: OUTAGE, play: steady },
  { name: 'one in 100 replaced each second', seconds: 60, line: true, play: turnover },
];

/** What happened before processes formed a line. It costs too much time to simulate for longer. */
export const WITHOUT_LINE: Scenario = {
  name: 'steady, without the line',
  seconds: 20,
  line: false,
  play: steady,
};
