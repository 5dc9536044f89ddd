import type { Mock, MockCollection } from './mock.ts';
import type { MockRow } from './sorted/order.ts';

/** The method that Node and Bun call to print an object; by its symbol, so that nothing is imported from Node. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

type Inspect = (value: unknown, options: object) => string;

/** Prints an object as a name and a summary. */
const printAs = (target: object, name: string, summary: () => unknown): void => {
  Object.defineProperty(target, INSPECT, {
    configurable: true,
    value: (depth: number | null, options: object, inspect: Inspect): string =>
      depth !== null && depth < 0
        ? `[${name}]`
        : `${name} ${inspect(summary(), { ...options, depth: depth === null ? null : depth + 1 })}`,
  });
};

/** The last five lines of a list, and how many come before them. */
const latest = (lines: readonly string[]): string[] => {
  const before = lines.length - 5;
  return before > 0 ? [`… ${before} more`, ...lines.slice(before)] : [...lines];
};

const printCollection = <T extends MockRow, Init extends object>(
  collection: MockCollection<T, Init>,
  name: string,
): void => {
  printAs(collection, 'Collection', () => {
    const [newest] = collection.find();
    return { of: name, count: collection.count(), ...(newest === undefined ? {} : { newest }) };
  });
};

const statesOf = (mock: Mock): Record<string, number> => {
  const states: Record<string, number> = { pending: 0, delivered: 0, failed: 0 };
  for (const { state } of mock.webhooks.deliveries) {
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
};

/**
 * Makes `console.log()` and REPLs print a mock, and each part of it, as a short summary.
 *
 * @param clock The kind of its clock.
 */
export const inspectMock = (mock: Mock, clock: 'virtual' | 'system'): void => {
  const { pipelines, leads, conversations, messages, agents } = mock;
  for (const [name, collection] of Object.entries({ pipelines, leads, conversations, messages, agents })) {
    printCollection(collection as MockCollection<MockRow>, name);
  }
  const now = () => new Date(mock.clock.now()).toISOString();
  printAs(mock.clock, 'Clock', () => ({ now: now(), runs: clock }));
  printAs(mock.keys, 'Keys', () => ({ count: mock.keys.list().length }));
  printAs(mock.faults, 'Faults', () =>
    mock.faults.planned.map(({ operation, fault, once }) => ({
      operation,
      fault,
      times: once ? 'once' : 'always',
    })),
  );
  printAs(mock.webhooks, 'Webhooks', () => ({
    endpoints: mock.webhooks.endpoints.map(({ url }) => url),
    deliveries: statesOf(mock),
  }));
  printAs(mock.requests, `RequestLog`, () =>
    latest(
      mock.requests.all.map(({ method, path, status }) => `${method} ${path} ${status ?? '(no response)'}`),
    ),
  );
  printAs(mock, 'Mock', () => ({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    clock: mock.clock,
    leads: leads.count(),
    conversations: conversations.count(),
    messages: messages.count(),
    agents: agents.count(),
    requests: mock.requests.length,
    deliveries: mock.webhooks.deliveries.length,
  }));
};
