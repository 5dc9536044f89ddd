import { setImmediate } from 'node:timers/promises';
import { kindOf, minimize } from './minimize.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import { runInput } from './run-input.ts';
import type { Target } from './target.ts';

export interface FuzzOptions {
  readonly seeds: readonly Uint8Array[];
  readonly words: readonly string[];
  readonly seed: number;
  /** Ends after this many inputs. */
  readonly runs: number;
  /** Ends after this many seconds. */
  readonly seconds: number;
  /** Called with each finding before the next input is tried: a run that is stopped must not lose it. */
  readonly onFinding: (finding: Finding) => void;
}

export interface Finding {
  /** The smallest input that was found to fail in this way. */
  readonly input: Uint8Array;
  readonly error: Error;
  /** Inputs that were tried until the first one failed in this way. */
  readonly tried: number;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly seconds: number;
  /** Inputs that are kept because each took a new branch, or took one more often. */
  readonly corpus: readonly Uint8Array[];
  /** Features that no seed has. */
  readonly features: number;
  readonly findings: readonly Finding[];
}

/** A target with this many different failures is not worth more time. */
const MOST_FINDINGS = 8;

/** Inputs between two turns of the event loop, in which finalizers of requests and signals run. */
const TURN_EVERY = 500;

/**
 * Runs a target on its seeds, and on mutations of every input that got further than those before it.
 *
 * @throws Error When no seed reaches a branch with a counter.
 */
export const fuzz = async (target: Target, options: FuzzOptions): Promise<FuzzResult> => {
  const random = createRandom(options.seed);
  const { maxBytes } = target;
  const words = [...(target.words ?? []), ...options.words];
  const known = new Set<number>();
  const corpus: Uint8Array[] = [];
  const findings = new Map<string, Finding>();
  // Stacks cost more than most errors themselves.
  Error.stackTraceLimit = 0;
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;

  const fails = (kind: string) => async (input: Uint8Array) => {
    const error = await runInput(target, input);
    return error !== undefined && kindOf(error) === kind;
  };

  let inputs = 0;
  const tryInput = async (input: Uint8Array): Promise<void> => {
    inputs += 1;
    const before = known.size;
    const error = await runInput(target, input, (feature) => known.add(feature));
    if (error !== undefined) {
      const kind = kindOf(error);
      if (!findings.has(kind)) {
        const smallest = await minimize(input, fails(kind));
        Error.stackTraceLimit = 10;
        const finding = {
          input: smallest,
          error: (await runInput(target, smallest)) ?? error,
          tried: inputs,
        };
        Error.stackTraceLimit = 0;
        findings.set(kind, finding);
        options.onFinding(finding);
      }
    } else if (known.size > before || corpus.length === 0) {
      corpus.push(input);
    }
  };

  for (const seed of options.seeds) {
    await tryInput(seed);
  }
  const fromSeeds = known.size;
  if (fromSeeds === 0) {
    // Without counters, mutations are blind, and the run would look like one that finds nothing.
    throw new Error('No seed reached a branch with a counter. Does the pattern in instrument.ts match?');
  }
  while (inputs < options.runs && findings.size < MOST_FINDINGS && secondsSince() < options.seconds) {
    // Later ones got further.
    const recent = Math.max(0, corpus.length - 32);
    const parent =
      random.below(3) === 0 ? corpus[recent + random.below(corpus.length - recent)] : random.pick(corpus);
    await tryInput(
      mutate(parent ?? Buffer.alloc(0), random.pick(corpus) ?? Buffer.alloc(0), { words, maxBytes, random }),
    );
    if (inputs % TURN_EVERY === 0) {
      await setImmediate();
    }
  }
  return {
    inputs,
    seconds: secondsSince(),
    corpus,
    features: known.size - fromSeeds,
    findings: [...findings.values()],
  };
};
