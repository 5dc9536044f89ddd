import type { OperationId } from '@confab/client/contract';
import { DEFAULT_BEHAVIOR } from '../../../world/behavior.ts';
import type { Finding, Question, Unknown } from '../finding.ts';
import { learned, orUnknown } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { ProbeInput, Service } from '../service.ts';

/** Two statuses, the one that comes first in front. */
type Pair = readonly [number, number];

type Request = readonly [OperationId, ProbeInput];

const PAGE = { query: { limit: 100 } };
const BEYOND = { query: { limit: 0 } };
const WITHOUT_KEY: Request = ['leads.list', { withKey: false }];

/**
 * Sends a request with two mistakes. The status of its reply comes first, if the other mistake alone leads to the other
 * status. Otherwise the service may have one status for both, or not see the other mistake at all.
 *
 * @param alone Requests with one of the mistakes each, by the status that they should lead to.
 */
const firstOf = async (
  service: Service,
  both: Request,
  alone: Readonly<Record<number, Request>>,
): Promise<Pair> => {
  const { status: first } = await service.ask(...both);
  const second =
    Object.keys(alone)
      .map(Number)
      .find((status) => status !== first) ?? first;
  const request = first in alone ? alone[second] : undefined;
  if (request === undefined || (await service.ask(...request)).status !== second) {
    throw new NoAnswer(
      `a request with both mistakes led to ${first}, and none with one of them to ${second}`,
      'Run the probe again when the service responds as documented.',
    );
  }
  return [first, second];
};

/** The first of some operations that the key lacks the scope for. A 403 of anything else, such as a firewall, is none. */
const refused = async <Id extends OperationId>(service: Service, ids: readonly Id[], input: ProbeInput) => {
  for (const id of ids) {
    const { status, code } = await service.ask(id, input);
    if (status === 403 && code === 'SCOPE_REQUIRED') {
      return id;
    }
  }
  throw new NoAnswer(
    `the key has the scopes of ${ids.join(' and ')}`,
    'Use a key that lacks the scope of one of these operations.',
  );
};

const TRIALS: readonly (readonly [string, (service: Service) => Promise<Pair>])[] = [
  [
    'Whether 401 or 400 comes first',
    (service) =>
      firstOf(service, ['leads.list', { ...BEYOND, withKey: false }], {
        401: WITHOUT_KEY,
        400: ['leads.list', BEYOND],
      }),
  ],
  [
    'Whether 401 or 404 comes first',
    (service) =>
      firstOf(service, ['leads.get', { id: service.nobody, withKey: false }], {
        401: WITHOUT_KEY,
        404: ['leads.get', { id: service.nobody }],
      }),
  ],
  [
    'Whether 400 or 404 comes first',
    async (service) => {
      const id = (await service.conversation()) ?? service.another;
      const query = { messagesLimit: 0 };
      return firstOf(service, ['conversations.get', { id: service.nobody, query }], {
        400: ['conversations.get', { id, query }],
        404: ['conversations.get', { id: service.nobody }],
      });
    },
  ],
  [
    'Whether 403 or 400 comes first',
    async (service) => {
      const list = await refused(service, ['leads.list', 'conversations.list'], PAGE);
      const other = list === 'leads.list' ? 'conversations.list' : 'leads.list';
      return firstOf(service, [list, BEYOND], { 403: [list, PAGE], 400: [other, BEYOND] });
    },
  ],
  [
    'Whether 403 or 404 comes first',
    async (service) => {
      // The id belongs to no row, and the response is not a 404.
      await refused(service, ['leads.get', 'conversations.get'], { id: service.nobody });
      return [403, 404];
    },
  ],
];

const OF_429: Unknown = {
  question: 'Where 429 comes among the checks',
  reason: 'the probe stays far below the rate limit',
  settle: 'Nothing: exceeding the limit on purpose would stop other programs that use the key.',
};

/** Both checks depend on the key. */
const OF_THE_KEY: readonly Pair[] = [
  [401, 429],
  [401, 403],
];

/** The order that agrees with all pairs, and otherwise with the default; `undefined` if the pairs contradict each other. */
const orderFor = (pairs: readonly Pair[]): readonly number[] | undefined => {
  const order: number[] = [];
  const isNext = (status: number) =>
    !order.includes(status) && pairs.every(([first, second]) => second !== status || order.includes(first));
  for (const _ of DEFAULT_BEHAVIOR.checks) {
    order.push(...DEFAULT_BEHAVIOR.checks.filter(isNext).slice(0, 1));
  }
  return order.length === DEFAULT_BEHAVIOR.checks.length ? order : undefined;
};

/** Sends requests with two mistakes at once. */
export const checkOrder: Question = {
  name: 'Order of checks',
  async ask(service) {
    const answers: (readonly [string, Pair | Unknown])[] = [];
    for (const [question, find] of TRIALS) {
      answers.push([question, await orUnknown(question, () => find(service))]);
    }
    const pairs = answers.flatMap(([, answer]) => ('reason' in answer ? [] : [answer]));
    const order = orderFor([...OF_THE_KEY, ...pairs]);
    const findings = answers.map(([question, answer]): Finding => {
      if ('reason' in answer) {
        return answer;
      }
      if (order === undefined) {
        return { question, reason: 'the responses contradict each other', settle: "Ask the service's team." };
      }
      const mock = DEFAULT_BEHAVIOR.checks.find((status) => answer.includes(status));
      // The option has a place for every check, also for those of which nothing is known.
      return {
        ...learned(question, ['behavior', 'checks'], order),
        ...{ service: String(answer[0]), mock: String(mock) },
      };
    });
    return [...findings, OF_429];
  },
};
