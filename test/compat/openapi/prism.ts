import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Confab, OperationId } from '@confab/client';
import { ConflictError, createClient, NotFoundError, PermissionError, RateLimitError } from '@confab/client';
import type { Mock } from '@confab/mock';
import { callOperation, operationIds } from '../../fuzz/call-operation.ts';
import { DOCUMENT, FOLDER, pathOf, TOOL_ENV } from './run-tool.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';

/** Starts Prism in front of a service. Resolves once it listens. */
const startPrism = async (target: string) => {
  const child = spawn(pathOf('prism'), ['proxy', DOCUMENT, target, '--port=0'], {
    cwd: FOLDER,
    env: TOOL_ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [, url] = /Prism is listening on (http:\S+)/.exec(printed) ?? [];
      if (url !== undefined) {
        resolve(url);
      }
    });
    child.once('exit', () => reject(new Error(`Prism ended:\n${printed}`)));
  });
  return { url, stop: () => child.kill() };
};

const QUERIES: Partial<Record<OperationId, object>> = {
  'conversations.list': { status: 'open', limit: 5 },
  'conversations.get': { messagesLimit: 10 },
  'leads.list': { status: 'new', search: 'a' },
  'analytics.funnel': { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' },
};

/** Makes every call, successful ones and failing ones. */
const callEverything = async (confab: Confab, mock: Mock): Promise<void> => {
  const { faults, leads, conversations, agents } = mock;
  const rows: Readonly<Record<string, readonly { id: string }[]>> = {
    leads: leads.find(),
    conversations: conversations.find(),
    agents: agents.find(),
  };
  for (const id of operationIds) {
    await callOperation(confab, id, {
      id: rows[id.split('.')[0] ?? '']?.[0]?.id,
      query: QUERIES[id],
    });
  }
  await assert.rejects(async () => confab.leads.create({ phone: '+442079460958' }), ConflictError);
  await assert.rejects(async () => confab.leads.get(MISSING), NotFoundError);
  faults.once('agents.list', { status: 403 });
  await assert.rejects(async () => confab.agents.list(), PermissionError);
  const headers = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0', 'retry-after': '1' };
  faults.once('agents.list', { status: 429, headers });
  await assert.rejects(async () => confab.agents.list(), RateLimitError);
};

/** Sends the calls of our client through Prism, which validates requests and responses, to a served mock. */
export const callThroughPrism = async (mock: Mock, mockUrl: string): Promise<void> => {
  const { url, stop } = await startPrism(mockUrl);
  try {
    const violations: string[] = [];
    const confab = createClient({
      baseUrl: url,
      apiKey: mock.apiKey,
      retry: false,
      validation: 'strict',
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const found = response.headers.get('sl-violations');
        violations.push(...(found === null ? [] : [`${init.method} ${input}: ${found}`]));
        return response;
      },
    });
    await callEverything(confab, mock);
    assert.deepEqual(violations, []);

    // A check that finds nothing proves nothing, unless it would.
    mock.faults.once('leads.get', { status: 200, body: { success: true, data: { id: 'x' } } });
    await confab.leads.get(MISSING, { validation: 'off' });
    assert.equal(violations.length, 1, 'Prism let a response pass that is not of the document');
  } finally {
    stop();
  }
};
