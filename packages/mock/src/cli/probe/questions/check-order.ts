import type { OperationId } from '@confab/client/contract';
import { DEFAULT_BEHAVIOR } from '../../../world/behavior.ts';
import { demand, NoAnswer } from '../evidence.ts';
import type { Rule } from '../rule.ts';
import type { ProbeInput, Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

type Request = readonly [OperationId, ProbeInput];

/** A request with two mistakes, and requests with one of them each. */
type Requests = readonly [both: Request, one: Request, other: Request];

const NO_KEY = { withKey: false };
const BEYOND = { query: { limit: 0 } };

const twoMistakes = (operation: OperationId, one: ProbeInput, other: ProbeInput): Requests => [
  [operation, { ...one, ...other }],
  [operation, one],
  [operation, other],
];

/** A missing scope is one mistake. The key has to lack the scope of one operation, and to have that of the other. */
const withoutScope = async (
  service: Service,
  [one, other]: readonly [OperationId, OperationId],
  { valid, mistake }: { readonly valid: ProbeInput; readonly mistake: ProbeInput },
): Promise<Requests> => {
  for (const [refused, allowed] of [[one, other] as const, [other, one] as const]) {
    const { status, error } = await service.ask(refused, valid);
    // A 403 of anything else, such as a firewall, proves nothing.
    if (status === 403 && error?.code === 'SCOPE_REQUIRED') {
      return [
        [refused, mistake],
        [refused, valid],
        [allowed, mistake],
      ];
    }
  }
  throw new NoAnswer(
    `the key has the scopes of ${one} and ${other}`,
    'Use a key that lacks the scope of one of these operations.',
  );
};

type Pair = readonly [number, number];

type Trial = readonly [checks: Pair, requests: (service: Service) => Promise<Requests>];

const TRIALS: readonly Trial[] = [
  [[401, 400], async () => twoMistakes('leads.list', NO_KEY, BEYOND)],
  [
    [401, 404],
    async (service) => {
      const { body } = await service.ask('leads.list', FIRST_PAGE);
      const id = body?.data[0]?.id ?? service.another;
      return twoMistakes('leads.get', { id, ...NO_KEY }, { id: service.nobody });
    },
  ],
  [
    [400, 404],
    async (service) => {
      const id = (await service.conversation()) ?? service.another;
      return twoMistakes('conversations.get', { id, query: { messagesLimit: 0 } }, { id: service.nobody });
    },
  ],
  [
    [403, 400],
    (service) =>
      withoutScope(service, ['leads.list', 'conversations.list'], { valid: FIRST_PAGE, mistake: BEYOND }),
  ],
  [
    [403, 404],
    (service) => {
      const unknown = { id: service.nobody };
      return withoutScope(service, ['leads.get', 'conversations.get'], { valid: unknown, mistake: unknown });
    },
  ],
];

/** The two checks, the one that comes first in front. */
const pairOf = async ([checks, requests]: Trial, service: Service): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (const [operation, input] of await requests(service)) {
    statuses.push((await service.ask(operation, input)).status);
  }
  const [both = 0, ...alone] = statuses;
  // Otherwise the service may have one status for both mistakes, or not see one of them at all.
  demand(
    checks.includes(both) && String(alone) === String(checks),
    `both mistakes led to ${both}, and each alone to ${alone.join(' and ')}`,
    'Run the probe again when the service responds as documented.',
  );
  return both === checks[0] ? checks : checks.toReversed();
};

/** Both checks depend on the key. */
const OF_THE_KEY: readonly Pair[] = [
  [401, 429],
  [401, 403],
];

/** The order that agrees with all pairs, and otherwise with the default. */
const orderFor = (pairs: readonly (readonly number[])[]): readonly number[] => {
  const { checks } = DEFAULT_BEHAVIOR;
  const order: number[] = [];
  const isNext = (status: number) =>
    !order.includes(status) &&
    pairs.every(([first = 0, second]) => second !== status || order.includes(first));
  for (let next = checks.find(isNext); next !== undefined; next = checks.find(isNext)) {
    order.push(next);
  }
  demand(order.length === checks.length, 'the responses contradict each other', "Ask the service's team.");
  return order;
};

const ruleOf = (trial: Trial): Rule => {
  const [checks] = trial;
  return {
    question: `Whether ${checks.join(' or ')} comes first`,
    option: ['behavior', 'checks'],
    show: (order) => (order as readonly number[]).find((status) => checks.includes(status)),
    async ask(service) {
      await pairOf(trial, service);
      const pairs: (readonly number[])[] = [...OF_THE_KEY];
      for (const each of TRIALS) {
        // What one without an answer lacks is said by its own question.
        pairs.push((await pairOf(each, service).catch(() => undefined)) ?? []);
      }
      return orderFor(pairs);
    },
  };
};

/** Sends requests with two mistakes at once. The option has a place for every check, also for those still unknown. */
export const checkOrder = TRIALS.map(ruleOf);
