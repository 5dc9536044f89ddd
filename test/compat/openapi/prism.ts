import { join } from 'node:path';
import { ConflictError, createClient, NotFoundError, PermissionError, RateLimitError } from '@confab/client';
import type { RunningMock } from './mock.ts';
import { DOCUMENT, FOLDER, startUntil } from './tool.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';

/** What Prism found wrong, with the call that it found it in. */
type Violations = string[];

const clientThrough = (proxy: string, apiKey: string, violations: Violations) =>
  createClient({
    baseUrl: proxy,
    apiKey,
    retry: false,
    validation: 'strict',
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const found = response.headers.get('sl-violations');
      if (found !== null) {
        violations.push(`${init?.method} ${input}: ${found}`);
      }
      return response;
    },
  });

type Confab = ReturnType<typeof clientThrough>;

const refused = async (call: PromiseLike<unknown>, kind: abstract new (...args: never[]) => Error) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof kind)) {
    throw new Error(`expected ${kind.name}, got ${error}`);
  }
};

const callEverything = async (confab: Confab): Promise<void> => {
  const [conversation] = await confab.conversations.list({ status: 'open', limit: 5 }).all({ max: 5 });
  if (conversation === undefined) {
    throw new Error('the mock has no conversation');
  }
  await confab.conversations.get(conversation.id, { messagesLimit: 10 });
  await confab.conversations.sendMessage(conversation.id, { content: 'Hello' });
  const lead = await confab.leads.create({ phone: '+44 20 7946 0200', displayName: null });
  await confab.leads.list({ status: 'new', search: '+442079460200' });
  await confab.leads.get(lead.id);
  await confab.leads.update(lead.id, { status: 'qualified', notes: 'Called back' });
  const [agent] = await confab.agents.list();
  await confab.agents.invoke(agent?.id ?? '', { userMessage: 'Do you deliver on Sundays?' });
  await confab.analytics.funnel({ from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' });
  await refused(confab.leads.create({ phone: '+442079460200' }), ConflictError);
  await refused(confab.leads.get(MISSING), NotFoundError);
};

/** Sends the calls of our client through Prism, which validates requests and responses, to the mock. */
export const callThroughPrism = async (mock: RunningMock): Promise<void> => {
  const prism = await startUntil(
    join(FOLDER, 'node_modules/.bin/prism'),
    ['proxy', DOCUMENT, mock.baseUrl, '--port=0'],
    /Prism is listening on (http:\S+)/,
  );
  try {
    const violations: Violations = [];
    const confab = clientThrough(prism.match[1] ?? '', mock.apiKey, violations);
    await callEverything(confab);
    await mock.control('faults', { operation: 'agents.list', fault: { status: 403 } });
    await refused(confab.agents.list(), PermissionError);
    const headers = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0', 'retry-after': '1' };
    await mock.control('faults', { operation: 'agents.list', fault: { status: 429, headers } });
    await refused(confab.agents.list(), RateLimitError);
    if (violations.length > 0) {
      throw new Error(violations.join('\n'));
    }

    // A check that finds nothing proves nothing, unless it would.
    const body = { success: true, data: { id: 'x' } };
    await mock.control('faults', { operation: 'leads.get', fault: { status: 200, body } });
    await confab.leads.get(MISSING, { validation: 'off' });
    if (violations.length === 0) {
      throw new Error('Prism let a response pass that is not of the document');
    }
  } finally {
    prism.close();
  }
};
