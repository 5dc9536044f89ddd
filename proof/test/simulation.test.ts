import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../simulation/clock/random.ts';
import { createTimeline } from '../simulation/clock/timeline.ts';
import { replaceOnce } from '../simulation/mutants/mutant.ts';
import { mutants } from '../simulation/mutants/table.ts';
import { drawScenario } from '../simulation/scenario/draw-scenario.ts';
import { shrink } from '../simulation/shrink.ts';
import { INVARIANTS } from '../simulation/sim.ts';
import { invariantsTable, replacePart } from '../simulation/write-page.ts';

test('a timeline fires entries in the order of time, and those of one moment in the order of planning', () => {
  const timeline = createTimeline(1_000);
  const fired: string[] = [];
  const plan = (ms: number) => timeline.after(ms, 'event', () => fired.push(`${ms} at ${timeline.now()}`));
  const delays = [30, 10, 20, 10, 0, 25, 5, 30];
  delays.forEach(plan);
  const cancel = plan(15);
  cancel();
  while (timeline.step()) {}
  expect(fired).toEqual(delays.toSorted((one, other) => one - other).map((ms) => `${ms} at ${1_000 + ms}`));
  expect([timeline.waiting('event'), timeline.fired]).toEqual([0, delays.length]);
});

test('an entry that was canceled or has fired counts no longer', () => {
  const timeline = createTimeline(0);
  const cancels = [1, 2].map((ms) => timeline.after(ms, 'timer', () => {}));
  cancels[1]?.();
  cancels[1]?.();
  expect(timeline.waiting('timer')).toBe(1);
  timeline.step();
  cancels[0]?.();
  expect(timeline.waiting('timer')).toBe(0);
});

test('streams of one seed with different names are independent, and repeat themselves', () => {
  const draw = (seed: number, name: string) => {
    const random = createRandom(seed, name);
    return Array.from({ length: 8 }, () => random.whole(0, 999));
  };
  expect(draw(1, 'a')).toEqual(draw(1, 'a'));
  expect(draw(1, 'a')).not.toEqual(draw(1, 'b'));
  expect(draw(1, 'a')).not.toEqual(draw(2, 'a'));
});

test('a seed draws the same scenario each time, and different seeds different ones', () => {
  expect(drawScenario(7)).toEqual(drawScenario(7));
  expect(drawScenario(7)).not.toEqual(drawScenario(8));
});

test('a thousand seeds draw every kind of step and every attack', () => {
  const scenarios = Array.from({ length: 1_000 }, (_, seed) => drawScenario(seed));
  const steps = scenarios.flatMap((scenario) => scenario.steps);
  const kinds = new Set(steps.map((step) => (step.kind === 'attack' ? step.attack : step.kind)));
  expect(kinds.size).toBe(23);
});

test('shrinking leaves only the items that a failure needs', async () => {
  const items = Array.from({ length: 60 }, (_, at) => at);
  let runs = 0;
  const left = await shrink(items, async (fewer) => {
    runs += 1;
    return [7, 8, 51].every((needed) => fewer.includes(needed));
  });
  expect(left).toEqual([7, 8, 51]);
  expect(runs).toBeLessThan(60);
});

const ROOT = join(import.meta.dirname, '..', '..');

test.each(mutants.map(({ name, replacements }) => ({ name, replacements })))(
  'the fault $name still fits the code',
  ({ replacements }) => {
    for (const replacement of replacements) {
      const source = readFileSync(join(ROOT, replacement.file), 'utf8');
      expect(replaceOnce(source, replacement)).not.toBe(source);
    }
  },
);

test('a fault whose code has changed is refused', () => {
  const stale = { file: 'walk.ts', from: 'gone', to: '' };
  expect(() => replaceOnce('const here = 1;', stale)).toThrow('walk.ts contains this code 0 times');
  expect(() => replaceOnce('gone gone', stale)).toThrow('walk.ts contains this code 2 times');
});

test('at least twelve old faults are listed with their commits, and no fault twice', () => {
  const commits = mutants.flatMap(({ fixedBy }) => fixedBy?.[0] ?? []);
  expect(commits.length).toBeGreaterThanOrEqual(12);
  expect(commits).toEqual(commits.map(() => expect.stringMatching(/^[0-9a-f]{7}$/)));
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('the page shows a fault that breaks each invariant', () => {
  const page = readFileSync(join(ROOT, 'docs/proof/simulation.md'), 'utf8');
  const found = [...page.matchAll(/\| `([a-z-]+)` \| \d+ \|$/gm)].map(([, invariant]) => invariant);
  expect(found).toEqual(expect.arrayContaining(Object.keys(INVARIANTS)));
});

test('the page lists each invariant', () => {
  const page = readFileSync(join(ROOT, 'docs/proof/simulation.md'), 'utf8');
  expect(replacePart(page, 'invariants', invariantsTable())).toBe(page);
});
