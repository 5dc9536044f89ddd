import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mock } from '@confab/mock';
import { describe, expect, test, vi } from 'vitest';
import { httpDate } from '../simulation/actors/http-date.ts';
import type { Receivers } from '../simulation/actors/receivers.ts';
import { createMachine } from '../simulation/clock/machine.ts';
import { createRandom } from '../simulation/clock/random.ts';
import { failingText, failureText } from '../simulation/failure.ts';
import type { DeliveriesLedger } from '../simulation/invariants/deliveries.ts';
import { watchWalk } from '../simulation/invariants/visits.ts';
import { replaceOnce } from '../simulation/mutants/mutant.ts';
import { mutants } from '../simulation/mutants/table.ts';
import { createApiLink } from '../simulation/network/api-link.ts';
import { createConditions } from '../simulation/network/conditions.ts';
import { createHookLink } from '../simulation/network/hook-link.ts';
import { openText } from '../simulation/open-work.ts';
import { shareSeeds } from '../simulation/run-seeds.ts';
import { drawScenario } from '../simulation/scenario/draw-scenario.ts';
import { shrink } from '../simulation/shrink.ts';
import { createSim, INVARIANTS } from '../simulation/sim.ts';
import { progressText } from '../simulation/summary.ts';
import { invariantsTable, replacePart } from '../simulation/write-page.ts';
import { createTimeline } from '../timeline/timeline.ts';

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
  const kinds = new Set<string>(steps.map(({ kind }) => kind));
  const attacks = new Set(steps.flatMap((step) => (step.kind === 'attack' ? step.attack : [])));
  expect([...kinds].toSorted()).toEqual([
    'api-fault',
    'attack',
    'call',
    'crash',
    'flood',
    'inbound',
    'limit',
    'partition',
    'proxy-page',
    'redeliver',
    'rotate-key',
    'rotate-secret',
    'row',
    'store-outage',
    'weather',
  ]);
  expect([...attacks].toSorted()).toEqual([
    'change-time',
    'flip-bit',
    'forge',
    'mix',
    'old-secret',
    'replay',
    'replay-late',
    'take-id',
    'truncate',
  ]);
});

test.each([
  { receiver: 'reachable', posted: 2 },
  { receiver: 'cut off', posted: 0 },
])(
  'a duplicated delivery arrives $posted times at a receiver that is $receiver',
  async ({ receiver, posted }) => {
    const sim = createSim(drawScenario(1));
    const conditions = createConditions(sim);
    const calm = { loss: 0, reset: 0, truncate: 0, stall: 0, split: 0, delayMs: 0 };
    conditions.setWeather('hook', { ...calm, duplicate: 1 });
    if (receiver === 'cut off') {
      conditions.cut('hook', 0);
    }
    const post = vi.fn(async () => new Response());
    const link = createHookLink(
      sim,
      conditions,
      { count: 1, post } as Partial<Receivers> as Receivers,
      { signed: () => {} } as Partial<DeliveriesLedger> as DeliveriesLedger,
    );
    void link.fetch(new Request('https://receiver.test/', { method: 'POST', body: '{}' }));
    await vi.waitFor(() => expect(link.captured).toHaveLength(1));
    while (sim.timeline.step()) {}
    expect(post).toHaveBeenCalledTimes(posted);
  },
);

test('a failure says which steps repeat it, or that none is needed', () => {
  const failure = {
    seed: 42,
    violation: { invariant: 'window', message: 'Too many' },
    of: 9,
    trace: [],
  } as const;
  expect(failureText({ ...failure, kept: [3, 7] })).toMatch(
    /^2 of 9 steps are enough\. Repeat it:\n {2}pnpm test:simulation --seed 42 --keep 3,7$/m,
  );
  expect(failureText({ ...failure, kept: [] })).toMatch(
    /^It needs no step\. Repeat it:\n {2}pnpm test:simulation --seed 42 --keep none$/m,
  );
});

test('a seed that fails is one line, and the progress counts it', () => {
  expect(failingText({ seed: 42, violation: { invariant: 'window', message: 'Too many' } })).toBe(
    'Seed 42 breaks the invariant window. Repeat it: pnpm test:simulation --seed 42',
  );
  const soFar = { seeds: 50, events: 900, seconds: 10, cpuSeconds: 15, failures: [] };
  const numbers = '50 seeds, 900 events, 10.0 s, 5.0 seeds a second, 300 ms of CPU per seed';
  expect(progressText({ ...soFar, failed: 0 })).toBe(numbers);
  expect(progressText({ ...soFar, failed: 1 })).toBe(`${numbers}, 1 failed so far`);
});

test.each([
  { count: 1, threads: 256, firsts: [7] },
  { count: 3, threads: 2, firsts: [7, 8] },
])('$count seeds run on no more threads than that, of $threads', ({ count, threads, firsts }) => {
  const tasks = shareSeeds({ from: 7, count, threads });
  expect(tasks.map(({ from }) => from)).toEqual(firsts);
  const seeds = tasks.flatMap(({ from, to, stride }) =>
    Array.from({ length: Math.floor((to - from) / stride) + 1 }, (_, at) => from + at * stride),
  );
  expect(seeds.toSorted()).toEqual(Array.from({ length: count }, (_, at) => 7 + at));
});

test('open work says how much of each kind there is, and the names that it has', () => {
  const calls = { one: 'call', more: 'calls' };
  const jobs = { one: 'job', more: 'jobs' };
  expect(openText([{ ...calls, count: 1, names: () => ['client2.26'] }])).toBe('1 call (client2.26)');
  expect(
    openText([
      { ...calls, count: 2, names: () => ['client0.3', 'client0.4'] },
      { count: 0, one: 'delivery', more: 'deliveries' },
      { ...jobs, count: 3 },
    ]),
  ).toBe('2 calls (client0.3, client0.4), 3 jobs');
});

test.each([
  { form: 'imf', text: 'Thu, 01 Jan 2026 03:04:05 GMT' },
  { form: 'rfc850', text: 'Thursday, 01-Jan-26 03:04:05 GMT' },
  { form: 'asctime', text: 'Thu Jan  1 03:04:05 2026' },
] as const)('a date in the form $form is $text', ({ form, text }) => {
  expect(httpDate(Date.UTC(2026, 0, 1, 3, 4, 5), form)).toBe(text);
});

describe('what a walk owes', () => {
  /** Returns what a walk violates that begins with rows 0 to 4, and ends with others. */
  const violation = (offset: number, returned: string, left = '01234'): string | undefined => {
    const sim = createSim(drawScenario(1));
    let rows = [...'01234'];
    const leads = { find: () => rows.map((id) => ({ id })) };
    const walked = watchWalk(sim, { leads } as unknown as Mock, 'client0', false, offset);
    rows = [...left];
    walked([...returned]);
    return sim.violation?.message;
  };

  test.each([
    ['is all rows', 0, '01234', undefined, undefined],
    ['is all rows, not only those after the first', 0, '1234', undefined, 'skipped 1 row that stayed: 0'],
    ['is no row twice', 0, '012343', undefined, 'returned 1 of 6 rows twice'],
    ['is no row before the offset', 2, '234', undefined, undefined],
    ['is every row after the offset', 2, '24', undefined, 'skipped 1 row that stayed: 3'],
    ['begins at the offset', 2, '34', undefined, 'skipped 1 row that stayed: 2'],
    ['does not include a row that has moved before the offset', 2, '34', '1234', undefined],
    [
      'includes a row that can have moved to the offset at most',
      2,
      '4',
      '1234',
      'skipped 1 row that stayed: 3',
    ],
    ['is the same when rows were inserted', 2, '134', 'n01234', 'skipped 1 row that stayed: 2'],
    ['does not include what is gone', 2, '24', '0124', undefined],
    ['is nothing beyond the end', 5, '', undefined, undefined],
    ['is something before the end', 3, '', undefined, 'skipped 2 rows that stayed, such as 3'],
  ] as const)('%s', (_, offset, returned, left, message) => {
    expect(violation(offset, returned, left)).toBe(message && `client0 ${message}`);
  });
});

test.each([
  { restarts: false, received: 1 },
  { restarts: true, received: 0 },
])(
  'a process receives $received responses if it restarts while its request is served: $restarts',
  async ({ restarts, received }) => {
    const sim = createSim(drawScenario(1));
    const machine = createMachine(sim.timeline, 'client0');
    const link = createApiLink({
      sim,
      conditions: createConditions(sim),
      machine,
      who: 0,
      ledger: { callStarted() {}, callEnded() {}, sent: () => () => {}, crashed() {} },
      callId: () => 1,
      async service() {
        if (restarts) {
          machine.crash();
          machine.start();
        }
        return { status: 200, headers: new Headers(), body: '{}' };
      },
    });
    const arrived = vi.fn();
    const { signal } = new AbortController();
    link('https://api.test/api/v2/public/leads', { method: 'GET', headers: {}, signal }).then(arrived);
    while (sim.timeline.step()) {
      await new Promise(setImmediate);
    }
    expect(arrived).toHaveBeenCalledTimes(received);
  },
);

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
