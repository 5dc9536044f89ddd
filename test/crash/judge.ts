/** `fine` succeeds, `flaky` fails twice before it succeeds, and `poison` always fails. */
export type Kind = 'fine' | 'flaky' | 'poison';

/**
 * A line of the journal, which all processes write in the order in which things happen:
 * - `start`: the handler of a delivery was called
 * - `finish`: its handler did all its work and is about to return
 * - `fail`: its handler threw
 * - `completed`: Redis confirmed that the delivery is marked as handled
 * - `killed`: the process has been killed with SIGKILL and is dead. It names no delivery.
 */
export interface Entry {
  readonly step: 'start' | 'finish' | 'fail' | 'completed' | 'killed';
  /** The process that did it. */
  readonly pid: number;
  readonly delivery: string;
}

/** Parses a line of the journal, such as `start 4711 d12`. */
export const parseEntry = (line: string): Entry => {
  const [step, pid, delivery = ''] = line.split(' ');
  return { step: step as Entry['step'], pid: Number(pid), delivery };
};

/** What a run leaves behind. */
export interface Outcome {
  readonly deliveries: readonly { readonly id: string; readonly kind: Kind }[];
  readonly journal: readonly Entry[];
  /** The dead letters: the ids of their deliveries, and how many attempts were made. */
  readonly deadLetters: readonly { readonly delivery: string; readonly attempts: number }[];
  /** The number of attempts after which a delivery is a dead letter. */
  readonly attempts: number;
}

/** A run of a handler, with the step in the last line about it. */
interface Run {
  readonly pid: number;
  last: Entry['step'];
}

/** Follows each delivery through the journal. */
const follow = (journal: readonly Entry[]) => {
  const problems: string[] = [];
  const runsOf = new Map<string, Run[]>();
  const killed = new Set<number>();
  const isInProgress = ({ pid, last }: Run) => (last === 'start' || last === 'finish') && !killed.has(pid);
  for (const { step, pid, delivery } of journal) {
    if (step === 'killed') {
      killed.add(pid);
      continue;
    }
    const runs = runsOf.get(delivery) ?? [];
    runsOf.set(delivery, runs);
    if (step === 'start') {
      if (runs.some(({ last }) => last === 'completed')) {
        problems.push(`${delivery} ran again after it had been handled.`);
      }
      if (runs.some(isInProgress)) {
        problems.push(`${delivery} ran twice at the same time.`);
      }
      runs.push({ pid, last: step });
      continue;
    }
    const run = runs.findLast((each) => each.pid === pid);
    if (run?.last !== (step === 'completed' ? 'finish' : 'start')) {
      problems.push(`${delivery} has "${step}" after "${run?.last}".`);
    } else {
      run.last = step;
    }
  }
  for (const run of [...runsOf.values()].flat().filter(isInProgress)) {
    problems.push(`A run in process ${run.pid}, which was not killed, ended with "${run.last}".`);
  }
  return { problems, runsOf };
};

const formatIds = (ids: readonly string[]): string => ids.join(', ') || 'none';

/** Checks what happened against every promise of the example. Each problem is a broken promise. */
export const judge = ({ deliveries, journal, deadLetters, attempts }: Outcome) => {
  const { problems, runsOf } = follow(journal);
  const dead = deadLetters.map(({ delivery }) => delivery).sort();
  const poisonous = deliveries.filter(({ kind }) => kind === 'poison').map(({ id }) => id);
  if (dead.join() !== poisonous.sort().join()) {
    problems.push(`The dead letters are ${formatIds(dead)}, but should be ${formatIds(poisonous)}.`);
  }
  for (const { delivery, attempts: made } of deadLetters) {
    if (made !== attempts) {
      const after = made === 1 ? 'one attempt' : `${made} attempts`;
      problems.push(`${delivery} was given up after ${after} instead of ${attempts}.`);
    }
  }
  for (const { id, kind } of deliveries) {
    const handled = runsOf.get(id)?.some(({ last }) => last === 'finish' || last === 'completed') ?? false;
    if (handled === (kind === 'poison')) {
      problems.push(handled ? `${id} always fails, and was handled.` : `${id} was never handled.`);
    }
  }
  const runs = [...runsOf.values()].flat();
  return { problems, runs: runs.length, cutOff: runs.filter(({ last }) => last === 'start').length };
};
