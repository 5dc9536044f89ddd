import type { World } from './world.ts';

/** The method that Node and Bun call to print an object. The symbol is looked up, so that nothing is imported from Node. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

type Inspect = (value: unknown, options: object) => string;

/** Prints an object as a name and a summary. */
const printAs = (target: object, name: string, summary: () => object): void => {
  Object.defineProperty(target, INSPECT, {
    value: (_depth: number, options: object, inspect: Inspect) => `${name} ${inspect(summary(), options)}`,
  });
};

/** Makes `console.log()` and REPLs print each part of a mock on one line, and the mock as the list of its parts. */
export const addInspectSummaries = (
  mock: { readonly baseUrl: string; readonly apiKey: string },
  { clock, store, keys, faults, outbox: webhooks, log: requests }: World,
): void => {
  for (const [of, collection] of store.collections) {
    printAs(collection, 'Collection', () => ({ of, count: collection.count() }));
  }
  printAs(clock, 'Clock', () => ({ now: new Date(clock.now()).toISOString(), runs: clock.kind }));
  printAs(keys, 'Keys', () => ({ count: keys.list().length }));
  printAs(faults, 'Faults', () => ({ planned: faults.planned.length }));
  printAs(webhooks, 'Webhooks', () => ({
    endpoints: webhooks.endpoints.length,
    deliveries: webhooks.deliveries.length,
  }));
  printAs(requests, 'RequestLog', () => ({ length: requests.length }));
  const { baseUrl, apiKey } = mock;
  const collections = Object.fromEntries(store.collections);
  const parts = { baseUrl, apiKey, clock, ...collections, keys, faults, webhooks, requests };
  printAs(mock, 'Mock', () => parts);
};
