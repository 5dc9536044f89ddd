import type { OperationId } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Behavior, MockData, MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { BEHAVIOR_WORDS, DEFAULT_BEHAVIOR } from '../../src/world/complete-behavior.ts';
import { DISTINCTIVE_DATA, probeMock } from '../support/probing.ts';

const LIMITED = 'limited_key_of_the_test';

const NOBODY = '99999999-9999-4999-8999-999999999999';

/** One of some values, or nothing. */
const oneOf = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const words = <Group extends Readonly<Record<string, readonly unknown[]>>>(group: Group) =>
  fc.record(Object.fromEntries(Object.entries(group).map(([name, list]) => [name, oneOf(...list)])));

const someCodes = fc.record(
  { 400: fc.constantFrom('BAD', 'VALIDATION_ERROR'), 404: fc.constantFrom('GONE', 'MISSING') },
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

const anyOptions: fc.Arbitrary<MockOptions> = fc.record({
  behavior: anyBehavior,
  rateLimit: fc.record({
    requests: fc.constantFrom(300, 600, 5_000),
    perMs: fc.constant(60_000),
    headers: fc.constantFrom('refused', 'always'),
  }),
  scopes: fc.constantFrom({}, { 'leads.list': 'read:contacts', 'analytics.funnel': 'read:reports' }),
  defaultCountry: oneOf('BR', 'US', 'DE'),
  data: fc
    .record({
      leads: fc.nat(13),
      conversations: fc.nat(9),
      agents: fc.nat(7),
      whole: fc.constantFrom(true, true, false),
    })
    .map(({ leads, conversations, agents, whole }): MockData => {
      const kept = (DISTINCTIVE_DATA.conversations ?? []).slice(0, whole ? 9 : conversations);
      return {
        ...DISTINCTIVE_DATA,
        leads: (DISTINCTIVE_DATA.leads ?? []).slice(0, whole ? 13 : leads),
        agents: (DISTINCTIVE_DATA.agents ?? []).slice(0, whole ? 7 : agents),
        conversations: kept,
        messages: (DISTINCTIVE_DATA.messages ?? []).filter(({ conversationId }) =>
          kept.some(({ id }) => id === conversationId),
        ),
      };
    }),
});

interface RandomRequest {
  readonly operation: OperationId;
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly withKey?: boolean;
  /** The questions whose answers decide on the response. While one is unknown, the request proves nothing. */
  readonly questions: readonly string[];
}

const SEARCH = ['displayName', 'email', 'phone'].map((field) => `\`search\` in ${field}`);

const PARTS = [
  'ana',
  'Ana',
  'ALM',
  'runo Bra',
  'person',
  'example',
  'MAIL',
  '3125550',
  '+1312',
  '101',
  'anders',
];

/** A request, with the questions whose answers decide on its response. */
const request = (
  operation: OperationId,
  path: string,
  questions: readonly string[],
  more: Pick<RandomRequest, 'body' | 'method' | 'withKey'> = {},
): RandomRequest => ({ operation, path, questions, ...more });

const creation = (body: object, questions: readonly string[]): RandomRequest =>
  request('leads.create', '/leads', questions, { method: 'POST', body });

const FUNNEL = [
  'Days of the funnel without `from`',
  'What `newLeads` of the funnel counts',
  'What the other counts of the funnel contain',
  'What `conversionRate` divides `converted` by',
  'Whether `conversionRate` is a percentage',
  'Decimals of `conversionRate`',
];
const NEW_LEAD = ['Country of a phone without a country code', 'Source of a lead created without one'];
const RANGE = 'Numbers beyond their bounds';

const lists = fc.constantFrom('leads', 'conversations');

/** Requests with what decides on their responses. */
const anyRequest: fc.Arbitrary<RandomRequest> = fc.oneof(
  fc
    .tuple(lists, fc.integer({ min: 1, max: 20 }), fc.nat(15))
    .map(([list, limit, offset]) =>
      request(`${list}.list`, `/${list}?limit=${limit}&offset=${offset}`, [`Order of ${list}.list`]),
    ),
  fc.constant(request('agents.list', '/agents', ['Order of agents.list'])),
  fc
    .constantFrom(...PARTS)
    .map((text) =>
      request('leads.list', `/leads?limit=50&search=${encodeURIComponent(text)}`, [
        ...SEARCH,
        'Whether `search` ignores case',
        'Order of leads.list',
      ]),
    ),
  fc
    .tuple(fc.constantFrom(...(DISTINCTIVE_DATA.conversations ?? [])), fc.integer({ min: 1, max: 6 }))
    .map(([{ id }, limit]) =>
      request('conversations.get', `/conversations/${id}?messagesLimit=${limit}`, [
        'Order of messages',
        'Messages that `messagesLimit` keeps',
      ]),
    ),
  lists.map((list) => request(`${list}.get`, `/${list}/${NOBODY}`, [])),
  fc
    .tuple(lists, fc.constantFrom('limit=0', 'limit=500', 'offset=-2'))
    .map(([list, query]) => request(`${list}.list`, `/${list}?${query}`, [RANGE, `Order of ${list}.list`])),
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      request('leads.list', '/leads?limit=0', [RANGE, 'Whether 401 or 400 comes first'], { withKey: false }),
      request('leads.get', `/leads/${NOBODY}`, ['Whether 401 or 404 comes first'], { withKey: false }),
      request('conversations.get', `/conversations/${NOBODY}?messagesLimit=0`, [
        RANGE,
        'Whether 400 or 404 comes first',
      ]),
      request('leads.list', '/leads?confab=1&limit=3', ['Unknown query parameters', 'Order of leads.list']),
    ),
  },
  fc
    .constantFrom('', '?from=2000-01-01T00:00:00Z', '?to=2024-01-20T00:00:00Z')
    .map((query) => request('analytics.funnel', `/analytics/funnel${query}`, FUNNEL)),
  fc
    .constantFrom('+551198765432', '(212) 555-0187', '+1 (212) 555-0188', '+13125550101')
    .map((phone) => creation({ phone }, NEW_LEAD)),
  fc.constant(creation({ phone: '+442083661177', source: 'x', confab: true }, ['Unknown fields in a body'])),
);

/** The scopes of the key that the probe uses; those of all operations if there are none. */
const KEYS = [undefined, undefined, undefined, ['read:conversations', 'read:agents']] as const;

test('a probed mock responds as the original does, wherever the probe has an answer', async () => {
  let compared = 0;
  const answers = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      anyOptions,
      fc.constantFrom(...KEYS),
      fc.boolean(),
      fc.constantFrom(60, 60, 60, 25),
      fc.nat(),
      async (options, scopes, allowWrites, maxRequests, seed) => {
        const { findings, options: learned } = await probeMock(options, {
          ...(scopes !== undefined && { scopes: [...scopes] }),
          allowWrites,
          maxRequests,
        });
        const unknown = findings.filter((finding) => 'reason' in finding).map(({ question }) => question);
        const known = new Set(
          findings.filter((finding) => 'option' in finding).map(({ question }) => question),
        );
        for (const question of known) {
          answers.set(question, (answers.get(question) ?? 0) + 1);
        }
        // As JSON, because that is how they reach the mock.
        const config: MockOptions = JSON.parse(JSON.stringify(learned));
        const keys = scopes === undefined ? [] : [{ key: LIMITED, scopes: [...scopes] }];
        const [original, probed] = [options, { ...config, data: options.data }].map((each) =>
          createMock({ ...each, keys }),
        );
        const apiKey = scopes === undefined ? original!.apiKey : LIMITED;
        const isProven = ({ operation, questions }: RandomRequest): boolean =>
          scopes === undefined
            ? !questions.some((question) => unknown.includes(question))
            : // The key lacks the scope, so that the checks before the one of scopes decide.
              known.has(`Scope of ${operation}`) &&
              ![...questions, 'Whether 403 or 400 comes first', 'Whether 403 or 404 comes first'].some(
                (question) => unknown.includes(question),
              );
        for (const request of fc.sample(anyRequest, { numRuns: 200, seed }).filter(isProven)) {
          const { operation, path, method = 'GET', body, withKey = true } = request;
          compared += 1;
          const [wanted, got] = await Promise.all(
            [original!, probed!].map(async (mock) => {
              const response = await mock.fetch(`${mock.baseUrl}/api/v2/public${path}`, {
                method,
                headers: { ...(withKey && { 'x-api-key': apiKey }), 'content-type': 'application/json' },
                ...(body !== undefined && { body: JSON.stringify(body) }),
              });
              const { code, error: _, data, ...rest } = await response.json();
              const isCodeKnown = known.has(`Code of ${response.status} of ${operation}`);
              const limit = known.has('Rate-limit headers on responses other than 429')
                ? response.headers.get('x-ratelimit-limit')
                : undefined;
              const row = method === 'POST' && data !== undefined ? { ...data, id: undefined } : data;
              return { status: response.status, ...rest, data: row, ...(isCodeKnown && { code }), limit };
            }),
          );
          expect({ path, method, body, ...got }).toEqual({ path, method, body, ...wanted });
        }
      },
    ),
    { numRuns: 30 },
  );
  // Otherwise the comparisons above would prove little.
  expect(compared).toBeGreaterThan(1000);
  expect(answers.size).toBeGreaterThan(30);
}, 120_000);
