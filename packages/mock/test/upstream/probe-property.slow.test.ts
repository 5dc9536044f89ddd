import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Behavior, MockOptions } from '../../src/index.ts';
import { BEHAVIOR_WORDS, DEFAULT_BEHAVIOR, toBehavior } from '../../src/world/behavior.ts';
import { DISTINCTIVE_DATA, probeMock } from '../support/probing.ts';

/** One of these values, or `undefined`. */
const oneOf = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const words = <Group extends Readonly<Record<string, readonly unknown[]>>>(group: Group) =>
  fc.record(Object.fromEntries(Object.entries(group).map(([name, list]) => [name, oneOf(...list)])));

const someCodes = fc.record(
  { 400: fc.constantFrom('INVALID_PARAMETERS', 'BAD'), 404: fc.constantFrom('NOT_FOUND', 'GONE') },
  { requiredKeys: [] },
);

const anyBehavior = fc.record({
  order: words(BEHAVIOR_WORDS.order),
  search: words(BEHAVIOR_WORDS.search),
  messages: words(BEHAVIOR_WORDS.messages),
  input: words(BEHAVIOR_WORDS.input),
  funnel: fc
    .tuple(words(BEHAVIOR_WORDS.funnel), oneOf(7, 28, 31, 90, 365), oneOf(0, 2, 4))
    .map(([rest, days, decimals]) => ({ ...rest, days, decimals })),
  codes: fc.record(
    {
      '*': someCodes,
      'leads.get': someCodes,
      'leads.list': someCodes,
      'leads.create': fc.constant({ 409: 'TWICE' }),
    },
    { requiredKeys: [] },
  ),
  checks: fc
    .shuffledSubarray([...DEFAULT_BEHAVIOR.checks], { minLength: 5 })
    .filter((checks) => checks.find((check) => [401, 429, 403].includes(check)) === 401),
  source: fc.constantFrom('api', 'public-api', 'import'),
}) as fc.Arbitrary<Behavior>;

const someRows = fc
  .record({ leads: fc.nat(13), conversations: fc.nat(9), agents: fc.nat(7) })
  .map(({ leads, conversations, agents }) => ({
    ...DISTINCTIVE_DATA,
    leads: DISTINCTIVE_DATA.leads.slice(0, leads),
    conversations: DISTINCTIVE_DATA.conversations.slice(0, conversations),
    // Each conversation has four messages.
    messages: DISTINCTIVE_DATA.messages.slice(0, 4 * conversations),
    agents: DISTINCTIVE_DATA.agents.slice(0, agents),
  }));

const anyOptions: fc.Arbitrary<MockOptions> = fc.record({
  behavior: anyBehavior,
  rateLimit: fc.record({
    requests: fc.constantFrom(300, 600, 5_000),
    perMs: fc.constant(60_000),
    headers: fc.constantFrom('refused', 'always'),
  }),
  scopes: fc.constantFrom({}, { 'leads.list': 'read:contacts', 'analytics.funnel': 'read:reports' }),
  defaultCountry: oneOf('BR', 'US', 'DE'),
  data: fc.oneof({ weight: 2, arbitrary: fc.constant(DISTINCTIVE_DATA) }, someRows),
});

/** The scopes of the probe's key; all scopes if `undefined`. */
const KEYS = [undefined, undefined, undefined, ['read:conversations', 'read:agents']] as const;

const PRESET_CODES = { 400: 'INVALID_PARAMETERS', 404: 'NOT_FOUND', 409: 'ALREADY_EXISTS' };

/** Finds which of two checks comes first. */
const firstOf = (pair: readonly number[], checks: readonly number[] = []) =>
  checks.find((check) => pair.includes(check));

test('a probe of a random service finds the options of that service, or no answer', async () => {
  const answered = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      anyOptions,
      fc.constantFrom(...KEYS),
      fc.boolean(),
      fc.constantFrom(60, 60, 60, 25),
      async (options, scopes, allowWrites, maxRequests) => {
        const key = scopes && { scopes: [...scopes] };
        const settings = { ...key, allowWrites, maxRequests };
        const { findings, options: learned } = await probeMock(options, settings);
        const known = findings.answers.map(({ question }) => question);
        for (const question of known) {
          answered.add(question);
        }
        const { checks, codes = {}, ...rest } = learned.behavior ?? {};
        const original = toBehavior(options.behavior);
        const { newLeads, divideBy } = original.funnel;
        // Both give the same number, unless `newLeads` counts a status.
        const same = newLeads === 'created' && divideBy === 'newLeads' ? { divideBy: 'all' } : {};
        expect({ ...original, funnel: { ...original.funnel, ...same } }).toMatchObject(rest);
        for (const [, first, second] of known.join().matchAll(/Whether (\d+) or (\d+)/g)) {
          const pair = [Number(first), Number(second)];
          expect([pair, firstOf(pair, checks)]).toEqual([pair, firstOf(pair, original.checks)]);
        }
        for (const [operation, byStatus] of Object.entries(codes)) {
          const own = { ...original.codes['*'], ...original.codes[operation as OperationId] };
          expect({ ...PRESET_CODES, ...own }).toMatchObject(byStatus);
        }
        const contract = Object.entries(operations).map(([id, { scope }]) => [id, scope]);
        expect({ ...Object.fromEntries(contract), ...options.scopes }).toMatchObject(learned.scopes ?? {});
        expect(options.rateLimit).toMatchObject(learned.rateLimit ?? {});
        // These answers need no option.
        if (known.includes('Country of a phone without a country code')) {
          expect(learned.defaultCountry).toBe(options.defaultCountry);
        }
        if (known.includes('Decimals of `conversionRate`')) {
          expect(rest.funnel?.decimals).toBe(original.funnel.decimals);
        }
      },
    ),
    { numRuns: 30 },
  );
  // Otherwise the comparisons above would prove little.
  expect(answered.size).toBeGreaterThan(30);
}, 120_000);
