import { DEFAULT_BEHAVIOR } from '../../../world/behavior.ts';
import type { Finding, Question, Unknown } from '../finding.ts';
import { learned, unknown } from '../finding.ts';
import type { Reply, Service } from '../service.ts';

/** Two statuses, the one that comes first in front. */
type Pair = readonly [number, number];

const questionOf = (pair: Pair): string => `Whether ${pair[0]} or ${pair[1]} comes first`;

/**
 * Reads the reply to a request with two mistakes. The status that it has comes first, if the other mistake alone really
 * leads to the other status.
 */
const judge = async (
  pair: Pair,
  both: Promise<Reply>,
  alone: Readonly<Record<number, () => Promise<Reply | undefined>>>,
): Promise<Pair | Unknown> => {
  const { operation, status: first } = await both;
  if (first === undefined || !pair.includes(first)) {
    return unknown(
      questionOf(pair),
      `${operation} responded with ${first ?? 'nothing'} to a request with both mistakes`,
      'Run the probe again when the service responds as documented.',
    );
  }
  const [second = first] = pair.filter((status) => status !== first);
  const proof = await alone[second]?.();
  return proof?.status === second
    ? [first, second]
    : unknown(
        questionOf(pair),
        `no request that should lead to ${second} alone did`,
        'Run the probe again when the service responds as documented, with a conversation in the account.',
      );
};

/** A 403 of anything else, such as a firewall, says nothing about the order. */
const lacksScopeFor = ({ status, code }: Reply): boolean => status === 403 && code === 'SCOPE_REQUIRED';

const askAll = async (service: Service): Promise<readonly (Pair | Unknown)[]> => {
  const { nobody: id } = service;
  const withoutKey = () => service.read('leads.list', { withKey: false });
  const lead = () => service.read('leads.get', { id });
  const conversation = () => service.read('conversations.get', { id });
  const beyond = { query: { limit: 0 } };
  const conversations = await service.read('conversations.list', { query: { limit: 100 } });
  const leads = await service.read('leads.list', { query: { limit: 100 } });
  const existing = conversations.body?.data.find(({ lastMessageAt }) => lastMessageAt !== null)?.id;

  const found = [
    await judge([401, 400], service.read('leads.list', { ...beyond, withKey: false }), {
      400: () => service.read('leads.list', beyond),
      401: withoutKey,
    }),
    await judge([401, 404], service.read('leads.get', { id, withKey: false }), {
      404: lead,
      401: withoutKey,
    }),
    await judge([400, 404], service.read('conversations.get', { id, query: { messagesLimit: 0 } }), {
      404: conversation,
      400: async () =>
        existing === undefined
          ? undefined
          : service.read('conversations.get', { id: existing, query: { messagesLimit: 0 } }),
    }),
  ];

  const lacksScope = 'Use a key that lacks the scope of one of the lists.';
  const refused = [leads, conversations].find(lacksScopeFor);
  const other = refused === leads ? 'conversations.list' : 'leads.list';
  const [of400, of404]: [Pair, Pair] = [
    [403, 400],
    [403, 404],
  ];
  const isRefused = lacksScopeFor(await lead()) || lacksScopeFor(await conversation());
  return [
    ...found,
    refused === undefined
      ? unknown(questionOf(of400), 'the key has the scopes of both lists', lacksScope)
      : await judge(of400, service.read(refused.operation, beyond), {
          400: () => service.read(other, beyond),
          403: async () => refused,
        }),
    // The id belongs to no row, and the response was not a 404.
    isRefused ? of404 : unknown(questionOf(of404), 'the key may read leads and conversations', lacksScope),
    unknown(
      'Where 429 comes among the checks',
      'the probe stays far below the rate limit',
      'Nothing: exceeding the limit on purpose would stop other programs that use the key.',
    ),
  ];
};

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

const follows = (order: readonly number[], [first, second]: Pair): boolean =>
  order.indexOf(first) < order.indexOf(second);

/** Both checks depend on the key. */
const OF_THE_KEY: readonly Pair[] = [
  [401, 429],
  [401, 403],
];

/** The order that agrees with all pairs, and otherwise with the default as far as possible. */
const orderFor = (pairs: readonly Pair[]): readonly number[] | undefined => {
  const { checks } = DEFAULT_BEHAVIOR;
  const byDefault = checks.flatMap((first, at) =>
    checks.slice(at + 1).map((second): Pair => [first, second]),
  );
  const agreement = (order: readonly number[]) => byDefault.filter((pair) => follows(order, pair)).length;
  return permutations(checks)
    .filter((order) => [...OF_THE_KEY, ...pairs].every((pair) => follows(order, pair)))
    .sort((a, b) => agreement(b) - agreement(a))[0];
};

/** Only what is known: the option has a place for every check. */
const shownPairs = (pairs: readonly Pair[]): string =>
  pairs.map(([first, second]) => `${first} < ${second}`).join(', ');

const isUnknown = (answer: Pair | Unknown): answer is Unknown => 'reason' in answer;

/** Sends requests with two mistakes at once. */
export const checkOrder: Question = {
  topic: 'order of checks',
  async ask(service): Promise<readonly Finding[]> {
    const answers = await askAll(service);
    const unanswered = answers.filter(isUnknown);
    const pairs = answers.filter((answer): answer is Pair => !isUnknown(answer));
    const order = orderFor(pairs);
    if (pairs.length === 0) {
      return unanswered;
    }
    return [
      order === undefined
        ? unknown('Order of checks', 'the responses contradict each other', "Ask the service's team.")
        : {
            ...learned('Order of checks', ['behavior', 'checks'], order),
            service: shownPairs(pairs),
            mock: shownPairs(
              pairs.map((pair) => (follows(DEFAULT_BEHAVIOR.checks, pair) ? pair : [pair[1], pair[0]])),
            ),
          },
      ...unanswered,
    ];
  },
};
