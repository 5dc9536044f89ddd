import type { OperationId } from '@confab/client/contract';
import { DEFAULT_BEHAVIOR } from '../../../world/complete-behavior.ts';
import { demand } from '../evidence.ts';
import type { Question } from '../question.ts';
import type { ProbeInput, Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

/** The statuses of two checks. */
type Pair = readonly [number, number];

const PAIRS: readonly Pair[] = [
  [401, 400],
  [401, 404],
  [400, 404],
  [403, 400],
  [403, 404],
];

/** Both checks depend on the key. */
const KEY_PAIRS: readonly Pair[] = [
  [401, 429],
  [401, 403],
];

const NO_KEY = { withKey: false };
const OUT_OF_RANGE = { query: { limit: 0 } };

/** Requests, each with the statuses that its mistakes lead to. */
const requestsOf = async (service: Service): Promise<(readonly [OperationId, ProbeInput, number[]])[]> => {
  const { missingId, otherMissingId } = service;
  const id = await service.conversation();
  const none = { query: { messagesLimit: 0 } };
  return [
    ['leads.list', FIRST_PAGE, []],
    ['leads.list', NO_KEY, [401]],
    ['leads.list', OUT_OF_RANGE, [400]],
    ['leads.list', { ...OUT_OF_RANGE, ...NO_KEY }, [401, 400]],
    ['leads.get', { id: missingId }, [404]],
    ['leads.get', { id: missingId, ...NO_KEY }, [401, 404]],
    ['conversations.list', FIRST_PAGE, []],
    ['conversations.list', OUT_OF_RANGE, [400]],
    ['conversations.get', { id: id ?? otherMissingId, ...none }, id === undefined ? [400, 404] : [400]],
    ['conversations.get', { id: missingId }, [404]],
    ['conversations.get', { id: missingId, ...none }, [400, 404]],
  ];
};

/** What requests with some mistakes led to. */
interface Outcome {
  readonly mistakes: readonly number[];
  readonly status: number;
}

/** A missing scope is a mistake, too. A 403 of anything else, such as a firewall, is no proof of one. */
const outcomesOf = async (service: Service): Promise<Outcome[]> => {
  const requests = await requestsOf(service);
  const replies = [];
  for (const [operation, input] of requests) {
    replies.push(await service.ask(operation, input));
  }
  const refused = replies.filter(({ status, error }) => status === 403 && error?.code === 'SCOPE_REQUIRED');
  const lacking = new Set(refused.map(({ operation }) => operation));
  return replies.map(({ operation, withKey, status }, at) => {
    const mistakes = requests[at]?.[2] ?? [];
    return { status, mistakes: withKey && lacking.has(operation) ? [403, ...mistakes] : mistakes };
  });
};

const ledTo = (outcomes: readonly Outcome[], ...mistakes: readonly number[]): string =>
  String([
    ...new Set(
      outcomes.filter((each) => String(each.mistakes) === String(mistakes)).map(({ status }) => status),
    ),
  ]);

/**
 * The two checks, the one that comes first in front; `undefined` if that is unknown: if the other mistake alone does not
 * lead to the other status, the service may have one status for both, or not see that mistake at all.
 */
const inOrder = ([one, other]: Pair, outcomes: readonly Outcome[]): Pair | undefined => {
  const both = ledTo(outcomes, one, other);
  if (both === String(one) && ledTo(outcomes, other) === String(other)) {
    return [one, other];
  }
  return both === String(other) && ledTo(outcomes, one) === String(one) ? [other, one] : undefined;
};

/** The order that agrees with all pairs, and otherwise with the default. */
const orderFor = (pairs: readonly Pair[]): readonly number[] => {
  const { checks } = DEFAULT_BEHAVIOR;
  const order: number[] = [];
  const isNext = (status: number) =>
    !order.includes(status) && pairs.every(([first, second]) => second !== status || order.includes(first));
  for (let next = checks.find(isNext); next !== undefined; next = checks.find(isNext)) {
    order.push(next);
  }
  demand(order.length === checks.length, 'the responses contradict each other', "Ask the service's team.");
  return order;
};

/** Sends requests with two mistakes at once. The option has a place for every check, also for those still unknown. */
export const checkOrder = PAIRS.map(
  (pair): Question => ({
    text: `Whether ${pair.join(' or ')} comes first`,
    option: ['behavior', 'checks'],
    show: (order) => (order as readonly number[]).find((status) => pair.includes(status)),
    async ask(service) {
      const outcomes = await outcomesOf(service);
      demand(
        !pair.includes(403) || outcomes.some(({ mistakes }) => mistakes.includes(403)),
        'the key has the scopes of all operations that were asked',
        'Use a key that lacks the scope of some of them.',
      );
      demand(
        inOrder(pair, outcomes) !== undefined,
        'both mistakes at once, and one of them alone, did not lead to their two statuses',
        'Run the probe again when the service responds as documented.',
      );
      const known = PAIRS.map((each) => inOrder(each, outcomes)).filter((each) => each !== undefined);
      return orderFor([...KEY_PAIRS, ...known]);
    },
  }),
);
