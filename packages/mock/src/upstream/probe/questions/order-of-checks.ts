import type { OperationId } from '@confab/client/contract';
import { areChecks, DEFAULT_BEHAVIOR } from '../../../world/behavior.ts';
import { assertEvidence, everyCombination, onlyFit } from '../evidence.ts';
import type { ProbeInput, Service } from '../service.ts';
import { FIRST_PAGE, MISSING_IDS } from '../service.ts';

/** A request with some mistakes, which are named by the statuses that they lead to. */
type Trial = readonly [operation: OperationId, input: ProbeInput, ...mistakes: number[]];

const NO_KEY = { withKey: false };
const NO_ROWS = { query: { limit: '0' } };
const NO_MESSAGES = { query: { messagesLimit: '0' } };

/** Sends each request, and returns its mistakes and the status that they led to. */
const runTrials = async (service: Service) => {
  const [missing, alsoMissing] = MISSING_IDS;
  const id = await service.conversation();
  const trials: readonly Trial[] = [
    ['leads.list', FIRST_PAGE],
    ['leads.list', NO_KEY, 401],
    ['leads.list', NO_ROWS, 400],
    ['leads.list', { ...NO_ROWS, ...NO_KEY }, 401, 400],
    ['leads.get', { id: missing }, 404],
    ['leads.get', { id: missing, ...NO_KEY }, 401, 404],
    ['conversations.list', FIRST_PAGE],
    ['conversations.list', NO_ROWS, 400],
    ['conversations.get', { id: id ?? alsoMissing, ...NO_MESSAGES }, 400, ...(id === undefined ? [404] : [])],
    ['conversations.get', { id: missing }, 404],
    ['conversations.get', { id: missing, ...NO_MESSAGES }, 400, 404],
  ];
  const outcomes = [];
  for (const [operation, input, ...mistakes] of trials) {
    const { status } = await service.ask(operation, input);
    outcomes.push({ operation, mistakes, status });
  }
  // A 403 with a different code, such as that of a firewall, does not prove that a scope is missing.
  const refused = service.replies.filter(({ error }) => error?.code === 'SCOPE_REQUIRED');
  const lacking = refused.map(({ operation }) => operation);
  return outcomes.map(({ operation, mistakes, status }) => {
    const lacksScope = lacking.includes(operation) && !mistakes.includes(401);
    return { mistakes: lacksScope ? [403, ...mistakes] : mistakes, status };
  });
};

const { checks } = DEFAULT_BEHAVIOR;

/** Returns the orders of the mock that explain the outcomes, those most like the default first. */
const findOrders = (outcomes: Awaited<ReturnType<typeof runTrials>>): (readonly number[])[] => {
  // If a mistake alone leads to a different status, the service may not notice it.
  const isSeen = (mistake: number) => {
    const alone = outcomes.filter(({ mistakes }) => String(mistakes) === String(mistake));
    return alone.length > 0 && alone.every(({ status }) => status === mistake);
  };
  const known = outcomes
    .filter(({ mistakes, status }) => mistakes.includes(status))
    .flatMap(({ mistakes, status }) => mistakes.filter(isSeen).map((later) => [status, later] as const));
  return everyCombination<readonly number[]>(checks.map(() => checks))
    .map((order) => Object.values(order))
    .filter((order) => areChecks('checks', order) === undefined)
    .filter((order) => known.every(([first, later]) => order.indexOf(first) <= order.indexOf(later)));
};

/**
 * Sends requests with two mistakes at once, and returns an order of the checks that explains the statuses.
 *
 * @throws A {@link NoAnswer} when the orders that explain them differ in which check of the pair comes first.
 */
export const findCheckOrder = (pair: readonly number[]) => async (service: Service) => {
  const outcomes = await runTrials(service);
  assertEvidence(
    !pair.includes(403) || outcomes.some(({ mistakes }) => mistakes.includes(403)),
    'the key has the scopes of all operations that were asked',
    'Use a key that lacks the scope of some of them.',
  );
  const orders = findOrders(outcomes);
  const remedy = 'Run the probe again when the service responds as documented.';
  const firsts = orders.map((order) => order.find((check) => pair.includes(check)));
  onlyFit(firsts, 'the responses to both mistakes at once', remedy);
  return orders[0];
};
