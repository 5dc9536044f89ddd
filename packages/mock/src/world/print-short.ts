import type { Collection } from './store/collection.ts';
import type { MockRow } from './store/table.ts';
import type { World } from './world.ts';

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

/** Makes `console.log()` and REPLs print a mock, and each part of it, as a short summary. */
export const printShort = (
  mock: { readonly baseUrl: string; readonly apiKey: string },
  { clock, store, keys, faults, outbox, log }: World,
): void => {
  const { pipelines, leads, conversations, messages, agents } = store;
  for (const [name, collection] of Object.entries({ pipelines, leads, conversations, messages, agents })) {
    const rows = collection as Pick<Collection<MockRow>, 'find' | 'count'>;
    printAs(rows, 'Collection', () => {
      const [newest] = rows.find();
      return { of: name, count: rows.count(), ...(newest === undefined ? {} : { newest }) };
    });
  }
  printAs(clock, 'Clock', () => ({ now: new Date(clock.now()).toISOString(), runs: clock.kind }));
  printAs(keys, 'Keys', () => ({ count: keys.list().length }));
  printAs(faults, 'Faults', () =>
    faults.planned.map(({ operation, fault, once }) => ({
      operation,
      fault,
      times: once ? 'once' : 'always',
    })),
  );
  printAs(outbox, 'Webhooks', () => {
    const states = { pending: 0, delivered: 0, failed: 0 };
    for (const { state } of outbox.deliveries) {
      states[state] += 1;
    }
    return { endpoints: outbox.endpoints.map(({ url }) => url), deliveries: states };
  });
  printAs(log, 'RequestLog', () =>
    latest(log.all.map(({ method, path, status }) => `${method} ${path} ${status ?? '(no response)'}`)),
  );
  printAs(mock, 'Mock', () => ({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    clock,
    leads: leads.count(),
    conversations: conversations.count(),
    messages: messages.count(),
    agents: agents.count(),
    requests: log.length,
    deliveries: outbox.deliveries.length,
  }));
};
