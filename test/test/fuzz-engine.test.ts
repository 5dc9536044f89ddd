import { afterEach, describe, expect, test, vi } from 'vitest';
import { addCounters } from '../fuzz/engine/add-counters.ts';
import { hit, newBranch, TooMuchWork } from '../fuzz/engine/coverage.ts';
import { fuzz } from '../fuzz/engine/fuzz.ts';
import { kindOf, minimize } from '../fuzz/engine/minimize.ts';
import { mutate } from '../fuzz/engine/mutate.ts';
import { createRandom } from '../fuzz/engine/random.ts';
import { runInput } from '../fuzz/engine/run-input.ts';
import type { Target } from '../fuzz/engine/target.ts';

const toyTarget = (run: Target['run'], most = 1_000): Target => ({
  checks: 'a toy of this test',
  maxBytes: 4,
  work: () => most,
  run,
});

/** Compiles a module that exports `parse`, and counts its branches. */
const compile = async (text: string, count: (branch: number) => void = hit) => {
  vi.stubGlobal('countOfTest', count);
  const counters = 'data:text/javascript,export const hit = (branch) => globalThis.countOfTest(branch)';
  const { source, words } = addCounters(text, counters, newBranch);
  const { parse } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`);
  return { parse: parse as (input: Uint8Array) => void, words };
};

/** Fails behind three branches, each in the one before it, and each a bit away from the seed. */
const NESTED = `
  export const parse = (input: Uint8Array): void => {
    if (input[0] === 0x71) {
      if (input[1] === 0x69) {
        if (input[2] === 0x63) {
          throw new RangeError('behind three branches');
        }
      }
    }
  };`;

const RUN = {
  seeds: [Buffer.from('aaa')],
  words: [],
  seed: 3,
  runs: 5_000,
  seconds: 60,
  onFinding: () => {},
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('fuzz', () => {
  test('finds and shortens a failure behind three branches, one branch after the other', async () => {
    const { parse } = await compile(NESTED);
    const { findings, corpus } = await fuzz(toyTarget(parse), RUN);
    expect(findings.map(({ error }) => error.message)).toEqual(['behind three branches']);
    expect(Buffer.from(findings[0]!.input).toString()).toBe('qic');
    expect(corpus.length).toBeGreaterThanOrEqual(3);
  });

  test('hands over a finding, shortened, before it tries another input', async () => {
    const { parse } = await compile(NESTED);
    const tried = vi.fn(parse);
    const stopped = fuzz(toyTarget(tried), {
      ...RUN,
      onFinding: ({ input, error, tried }) => {
        throw new Error(`${Buffer.from(input)}: ${error.message}, ${tried > 1 && tried < RUN.runs}`);
      },
    });
    await expect(stopped).rejects.toThrow('qic: behind three branches, true');
    expect(Buffer.from(tried.mock.lastCall![0]).toString()).toBe('qic');
  });

  test('does not find it without counters', async () => {
    const { parse } = await compile(NESTED, () => {});
    const blind = (input: Uint8Array) => {
      hit(1);
      parse(input);
    };
    expect((await fuzz(toyTarget(blind), RUN)).findings).toEqual([]);
  });

  test('refuses to run blind', async () => {
    await expect(
      fuzz(
        toyTarget(() => {}),
        RUN,
      ),
    ).rejects.toThrow('No seed reached a branch with a counter');
  });
});

describe('runInput', () => {
  test('fails an input whose promise never settles', async () => {
    vi.useFakeTimers();
    const running = runInput(
      toyTarget(() => new Promise(() => {})),
      Buffer.alloc(0),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await running)?.message).toBe('does not settle within 5 s');
  });

  test('leaves no timer behind when the promise settles', async () => {
    vi.useFakeTimers();
    expect(
      await runInput(
        toyTarget(async () => {}),
        Buffer.alloc(0),
      ),
    ).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['nothing', () => {}],
    [
      'another error',
      () => {
        throw new Error('another');
      },
    ],
  ])('reports too much work when the code catches the error and ends with %s', async (_, end) => {
    const target = toyTarget(() => {
      try {
        for (let round = 0; round < 11; round += 1) {
          hit(1);
        }
      } catch {
        // As a parser might.
      }
      end();
    }, 10);
    expect(await runInput(target, Buffer.alloc(0))).toBeInstanceOf(TooMuchWork);
  });

  test('allows exactly the work of the target', async () => {
    const target = toyTarget(() => {
      for (let round = 0; round < 10; round += 1) {
        hit(1);
      }
    }, 10);
    expect(await runInput(target, Buffer.alloc(0))).toBeUndefined();
  });
});

describe('addCounters', () => {
  test.each([
    ['if', 'if (x) { }', 2],
    ['else', 'if (!x) { }', 2],
    ['a conditional', 'x ? 1 : 2', 2],
    ['&&', 'x && 1', 2],
    ['||', '!x || 1', 2],
    ['??', 'x[9] ?? 1', 2],
    ['a round of a loop', 'for (const _ of x) { }', 4],
    ['case', 'switch (x.length) { case 3: break; default: }', 2],
    ['default', 'switch (x.length) { case 4: break; default: }', 2],
    ['an arrow function', '(() => 1)()', 2],
    ['what does not run', 'if (!x) { } else { } !x && 1', 2],
  ])('counts %s', async (_, code, wanted) => {
    const count = vi.fn();
    const { parse } = await compile(`export const parse = (x: Uint8Array): unknown => { ${code} };`, count);
    parse(Buffer.from('abc'));
    expect(count).toHaveBeenCalledTimes(wanted);
  });

  test('collects the words that an input might need, and no sentences', () => {
    const { words } = addCounters("f('to', 'x', 'two words', './a.ts', `lead`)", 'data:,', newBranch);
    expect(words).toEqual(['to', 'lead']);
  });
});

describe('mutate', () => {
  test('makes the same changes from the same seed, of every kind, within the largest size', () => {
    const changesOf = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 500 }, () =>
        Buffer.from(
          mutate(Buffer.from('{"a":1}'), Buffer.from('other'), { words: ['word'], maxBytes: 10, random }),
        ).toString('latin1'),
      );
    };
    const changes = changesOf(1);
    expect(changesOf(1)).toEqual(changes);
    expect(changesOf(2)).not.toEqual(changes);
    expect(new Set(changes).size).toBeGreaterThan(250);
    expect(Math.max(...changes.map(({ length }) => length))).toBe(10);
    expect(changes).toEqual(expect.arrayContaining([expect.stringContaining('word')]));
    expect(changes).toEqual(expect.arrayContaining([expect.stringContaining('th')]));
    expect(changes.filter((text) => text.startsWith('{"a":') && text.endsWith('}')).length).toBeGreaterThan(
      20,
    );
  });
});

describe('minimize', () => {
  test('values that a property got and wanted do not make it another kind of failure', () => {
    const kindFor = (given: string) => kindOf(new Error(`the digits: got "${given}", wanted "0${given}"`));
    expect(kindFor('e')).toBe(kindFor('abc'));
    expect(kindFor('e')).not.toBe(kindOf(new Error('the letters: got "e", wanted "0e"')));
  });

  test('keeps only what the failure needs', async () => {
    const smallest = await minimize(
      Buffer.from('some text (with [brackets] and more) of no use'),
      async (input) => /\(.*\[.*\)/.test(Buffer.from(input).toString()),
    );
    expect(Buffer.from(smallest).toString()).toBe('([)');
  });

  test('ends after a minute with what it has found', async () => {
    let [now, tries] = [0, 0];
    const smallest = await minimize(
      Buffer.alloc(64),
      async ({ length }) => {
        tries += 1;
        now += 25_000;
        return length > 0;
      },
      () => now,
    );
    expect([tries, smallest.length]).toEqual([3, 16]);
  });
});
