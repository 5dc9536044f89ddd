import { expect, test } from 'vitest';
import type { Confab } from '../src/index.ts';
import { ConfabError, createClient } from '../src/index.ts';
import { ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createListService, pageOf, rowOf } from './support/list.ts';

const refuse = async (): Promise<Response> => {
  // The response arrives in a later turn of the event loop, as from a network.
  await new Promise(setImmediate);
  return Response.json({ success: false, error: 'No', code: 'NO' }, { status: 418 });
};

const clientOf = (fetch: typeof globalThis.fetch) =>
  createClient({ baseUrl: 'https://api.example.com', apiKey: KEY, fetch, retry: false });

const rows = Array.from({ length: 300 }, (_, index) => rowOf(index));

/** Returns the first pages, and then an error. */
const pagesThenRefusal = (pages: number) => {
  const service = createListService((asked) => pageOf(rows, asked));
  return clientOf(async (input, init) =>
    service.asked.length < pages ? service.fetch(input, init) : refuse(),
  );
};

const stackOf = async (call: PromiseLike<unknown>): Promise<string> =>
  (await errorOf(call, ConfabError)).stack ?? '';

const uses: Record<string, (confab: Confab) => PromiseLike<unknown>> = {
  'a call': (confab) => confab.leads.get(ids.lead),
  'a call with its response': (confab) => confab.leads.get(ids.lead).withResponse(),
  'a call as a raw response': (confab) => confab.leads.get(ids.lead).asResponse(),
  'a call with invalid input': (confab) => confab.leads.get('seven'),
  'leads.ensure': (confab) => confab.leads.ensure({ phone: '+5511987654321' }),
  'an awaited list': (confab) => confab.leads.list(),
  'all()': (confab) => confab.leads.list().all(),
  'Array.fromAsync()': (confab) => Array.fromAsync(confab.leads.list()),
  'pages()': (confab) => Array.fromAsync(confab.leads.list().pages()),
};

test.each(Object.entries(uses))('the stack of an error shows the caller: %s', async (_, use) => {
  async function callerOfTheClient() {
    // The call is not awaited here, so that the engine's tracing of `await` does not add the frame.
    return { call: use(clientOf(refuse)) };
  }
  const { call } = await callerOfTheClient();
  const stack = await stackOf(call);
  expect(stack).toContain('callerOfTheClient');
  expect(stack.match(/at Object\.get|at get /g)?.length ?? 0).toBeLessThan(2);
});

test('the stack of an error shows the loop over a list that was created elsewhere', async () => {
  const list = pagesThenRefusal(2).leads.list();
  async function loopOverIt() {
    for await (const row of list) {
      expect(row.id).toBeDefined();
    }
  }
  expect(await stackOf(loopOverIt())).toContain('loopOverIt');
});

test('the stack of an error shows the caller of the next page', async () => {
  const page = await pagesThenRefusal(1).leads.list();
  function askForTheNext() {
    return page.next();
  }
  const stack = await stackOf(askForTheNext());
  expect(stack).toContain('askForTheNext');
  expect(stack).toMatch(/^ApiError: leads\.list failed with 418 NO: No\n/);
});
