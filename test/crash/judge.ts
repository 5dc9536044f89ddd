import type { SampleDelivery } from './deliveries.ts';
import type { Entry } from './journal.ts';

/** What is left when a run has ended. */
export interface Outcome {
  readonly deliveries: readonly Pick<SampleDelivery, 'id' | 'kind'>[];
  readonly journal: readonly Entry[];
  /** The dead letters: the ids of their deliveries, and how many attempts were made. */
  readonly deadLetters: readonly { readonly delivery: string; readonly attempts: number }[];
  /** The attempts after which a delivery is a dead letter. */
  readonly attempts: number;
  /** How many jobs the queue holds in each state that is not an end. */
  readonly unfinished: Readonly<Record<string, number>>;
}

/** The verdict on a run. */
export interface Verdict {
  /** One sentence for each promise that was broken. */
  readonly problems: readonly string[];
  /** Runs of handlers. */
  readonly runs: number;
  /** Runs that were cut off by a kill, before the handler was done. */
  readonly cutOff: number;
  /** Runs that a kill hit after the handler was done, before its worker knew that Redis had recorded it. */
  readonly unconfirmed: number;
  /** Those of them that Redis had indeed not recorded, so the delivery ran again. */
  readonly repeated: number;
}

type State = 'running' | 'finished' | 'failed' | 'completed';

interface Run {
  readonly pid: number;
  state: State;
}

/** What is wrong with a run that starts although this one, of the same delivery, was there before. */
const objection = ({ state, pid }: Run, killed: ReadonlySet<number>): string | undefined => {
  if (state === 'completed') {
    return 'ran again after it had been handled';
  }
  if (state === 'finished' && !killed.has(pid)) {
    return 'ran again after its handler had finished in a process that was not killed';
  }
  return state === 'running' && !killed.has(pid) ? 'ran twice at the same time' : undefined;
};

const STATES = { finish: 'finished', fail: 'failed', completed: 'completed' } as const;

/** Follows each delivery through the journal. */
const follow = (journal: readonly Entry[]) => {
  const problems: string[] = [];
  const runsOf = new Map<string, Run[]>();
  const killed = new Set<number>();
  let repeated = 0;
  for (const { step, pid, delivery = '' } of journal) {
    if (step === 'killed') {
      killed.add(pid);
      continue;
    }
    const runs = runsOf.get(delivery) ?? [];
    runsOf.set(delivery, runs);
    if (step === 'start') {
      for (const earlier of runs) {
        const problem = objection(earlier, killed);
        if (problem !== undefined) {
          problems.push(`${delivery} ${problem}.`);
        }
      }
      repeated += runs.some(({ state }) => state === 'finished') ? 1 : 0;
      runs.push({ pid, state: 'running' });
      continue;
    }
    const run = runs.findLast((each) => each.pid === pid);
    const before: State = step === 'completed' ? 'finished' : 'running';
    if (run?.state !== before) {
      problems.push(`${delivery} has "${step}" while its run is ${run?.state ?? 'not there'}.`);
    } else {
      run.state = STATES[step];
    }
  }
  return { problems, runsOf, killed, repeated };
};

/** Checks every promise of the example against what happened. */
export const judge = ({ deliveries, journal, deadLetters, attempts, unfinished }: Outcome): Verdict => {
  const { problems, runsOf, killed, repeated } = follow(journal);
  const dead = new Map(deadLetters.map((letter) => [letter.delivery, letter.attempts]));
  if (dead.size < deadLetters.length) {
    problems.push('A delivery has several dead letters.');
  }
  for (const { id, kind } of deliveries) {
    const runs = runsOf.get(id) ?? [];
    const done = runs.filter(({ state }) => state === 'finished' || state === 'completed').length;
    const made = dead.get(id);
    dead.delete(id);
    if (kind === 'poison') {
      if (made === undefined) {
        problems.push(`${id} always fails, and is not among the dead letters.`);
      } else if (made < attempts || !runs.some(({ state }) => state === 'failed')) {
        problems.push(`${id} was given up after ${made} attempts instead of ${attempts}.`);
      }
      if (done > 0) {
        problems.push(`${id} always fails, and was handled.`);
      }
    } else {
      if (done === 0) {
        problems.push(`${id} was never handled.`);
      }
      if (made !== undefined) {
        problems.push(`${id} is a dead letter, and should have been handled.`);
      }
    }
  }
  problems.push(...[...dead.keys()].map((id) => `${id} is a dead letter, and was never sent.`));
  for (const [state, count] of Object.entries(unfinished)) {
    if (count > 0) {
      problems.push(`${count} jobs are left in state "${state}".`);
    }
  }
  const runs = [...runsOf.values()].flat();
  for (const { pid, state } of runs) {
    if ((state === 'running' || state === 'finished') && !killed.has(pid)) {
      problems.push(`A run in process ${pid}, which was not killed, ended as "${state}".`);
    }
  }
  const count = (wanted: State) => runs.filter(({ state }) => state === wanted).length;
  return { problems, runs: runs.length, cutOff: count('running'), unconfirmed: count('finished'), repeated };
};
