import type { OperationId } from '@confab/client/contract';
import { DEFAULT_BEHAVIOR } from '../../../world/complete-behavior.ts';
import { demand } from '../evidence.ts';
import type { Question } from '../question.ts';
import type { ProbeInput, Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

/** The statuses of two checks each. */
const PAIRS: readonly (readonly number[])[] = [
  [401, 400],
  [401, 404],
  [400, 404],
  [403, 400],
  [403, 404],
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

const ordersOf = (checks: readonly number[]): number[][] =>
  checks.length === 0
    ? [[]]
    : checks.flatMap((first) =>
        ordersOf(checks.filter((check) => check !== first)).map((rest) => [first, ...rest]),
      );

/** Every order of the checks, those most like the default first. The other two that depend on the key follow its own. */
const ORDERS = ordersOf(DEFAULT_BEHAVIOR.checks).filter(
  (order) => order.find((check) => [401, 403, 429].includes(check)) === 401,
);

/** The orders that explain the outcomes. */
const ordersFor = (outcomes: readonly Outcome[]): readonly (readonly number[])[] => {
  // A mistake that alone leads to another status proves nothing: the service may not see it, or have one status for several.
  const isSeen = (mistake: number) => {
    const alone = outcomes.filter(({ mistakes }) => String(mistakes) === String(mistake));
    return alone.length > 0 && alone.every(({ status }) => status === mistake);
  };
  const proven = outcomes.filter(
    ({ mistakes, status }) =>
      mistakes.includes(status) && mistakes.every((mistake) => mistake === status || isSeen(mistake)),
  );
  return ORDERS.filter((order) =>
    proven.every(({ mistakes, status }) => order.find((check) => mistakes.includes(check)) === status),
  );
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
      const orders = ordersFor(outcomes);
      demand(orders.length > 0, 'the responses contradict each other', "Ask the service's team.");
      const firsts = orders.map((order) => order.find((status) => pair.includes(status)));
      demand(
        new Set(firsts).size === 1,
        'both mistakes at once, and one of them alone, did not lead to their two statuses',
        'Run the probe again when the service responds as documented.',
      );
      return orders[0];
    },
  }),
);
