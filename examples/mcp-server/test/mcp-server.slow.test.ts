import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { operations } from '@confab/client/contract';
import openapi from '@confab/client/openapi.json' with { type: 'json' };
import { listen } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts the program as an assistant does, and connects the client of the protocol's SDK to it. */
const connect = async (args: string[] = [], env: Record<string, string> = {}) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=@confab/source', main, ...args],
    env,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, errors: () => errors };
};

/** Serves a mock that this process can inspect. */
const startMock = async () => {
  const mock = createMock({ data: 'demo', clock: 'system' });
  const { url, close } = await serve(mock);
  onTestFinished(close);
  return { mock, env: { CONFAB_BASE_URL: url, CONFAB_API_KEY: mock.apiKey } };
};

const all = Object.values(operations);

/** An operation in the OpenAPI document, with the example of its body. */
interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
}

test('without CONFAB_BASE_URL, the server offers only tools that read, which call a mock', async () => {
  const { client, errors } = await connect();
  expect(client.getInstructions()).toContain('never as instructions');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    all.filter(({ method }) => method === 'GET').map(({ id }) => id.replace('.', '_')),
  );
  const { structuredContent, isError } = await client.callTool({
    name: 'leads_list',
    arguments: { limit: 2 },
  });
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({ data: [{}, {}], meta: { total: 60, limit: 2 }, hasNext: true });
  await expect(
    client.callTool({ name: 'leads_create', arguments: { phone: '+442079460958' } }),
  ).rejects.toThrow(/leads_create/);
  expect(errors()).toContain('CONFAB_BASE_URL is not set');
});

test('with --allow-writes, the server offers each operation, with hints and fields of the contract', async () => {
  const { client } = await connect(['--allow-writes']);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(all.map(({ id }) => id.replace('.', '_')));
  expect(tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
    'leads_update',
  ]);
  for (const { name, title, inputSchema, annotations } of tools) {
    const { method, idempotent } = all.find(({ id }) => id.replace('.', '_') === name)!;
    expect(annotations).toMatchObject({ readOnlyHint: method === 'GET', idempotentHint: idempotent });
    expect(title).toMatch(/^[A-Z]/);
    for (const property of Object.values(inputSchema.properties ?? {})) {
      expect(property).toHaveProperty('description', expect.stringMatching(/\w/));
    }
  }
  expect(tools.find(({ name }) => name === 'leads_update')?.inputSchema).toMatchObject({
    required: ['id'],
    properties: {
      id: { format: 'uuid' },
      status: { enum: ['new', 'active', 'qualified', 'converted', 'lost'] },
    },
  });
});

test('the tools call every operation of the API', async () => {
  const { mock, env } = await startMock();
  const { client } = await connect(['--allow-writes'], env);
  const ids: Partial<Record<string, string>> = {
    leads: mock.leads.find()[0]?.id,
    conversations: mock.conversations.find()[0]?.id,
    agents: mock.agents.find()[0]?.id,
  };
  const more: Partial<Record<string, object>> = {
    'conversations.list': { status: 'open', limit: 1 },
    'conversations.get': { messagesLimit: 1 },
    'leads.list': { limit: 1, offset: 3 },
    'leads.create': { notes: null, pipelineId: undefined },
    'leads.update': { status: 'lost' },
    'analytics.funnel': { from: '2026-01-01T00:00:00Z' },
  };
  const paths: Record<string, Record<string, Described>> = openapi.paths;
  for (const { id, method, path } of all) {
    const { requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
    const input = {
      ...(path.includes('{id}') && { id: ids[id.split('.')[0] ?? ''] }),
      ...requestBody?.content['application/json'].example,
      ...more[id],
    };
    const name = id.replace('.', '_');
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
    expect(isError, JSON.stringify(content)).toBeFalsy();
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  }
  expect(mock.requests.all.map(({ operation }) => operation)).toEqual(all.map(({ id }) => id));
  expect(mock.leads.get(ids.leads ?? '')).toMatchObject({ status: 'lost' });
});

test('a failed call returns an error that the assistant can read, without the key', async () => {
  const { mock, env } = await startMock();
  const { client } = await connect([], env);
  const id = '00000000-0000-4000-8000-000000000000';
  mock.faults.once('leads.get', {
    status: 404,
    body: { success: false, error: `No lead for ${mock.apiKey}`, code: 'NOT_FOUND' },
  });
  const missing = await client.callTool({ name: 'leads_get', arguments: { id } });
  expect(missing).toMatchObject({ isError: true });
  expect(JSON.stringify(missing)).toContain('NotFoundError: leads.get failed with 404');
  expect(JSON.stringify(missing)).not.toContain(mock.apiKey);

  const invalid = await client.callTool({ name: 'leads_get', arguments: { id: '../agents' } });
  expect(invalid).toMatchObject({ isError: true });
  expect(JSON.stringify(invalid)).toContain('must be a UUID');
  const unknown = await client.callTool({ name: 'leads_list', arguments: { lmit: 2 } });
  expect(JSON.stringify(unknown)).toContain('has unknown fields: lmit');
  expect(mock.requests.all).toHaveLength(1);
});

test('the server aborts the request of a call that the assistant cancels', async () => {
  const service = createServer();
  const url = await listen(service);
  const { client } = await connect([], { CONFAB_BASE_URL: url, CONFAB_API_KEY: 'key' });
  const cancel = new AbortController();
  const called = client.callTool({ name: 'agents_list' }, { signal: cancel.signal });
  const [request] = (await once(service, 'request')) as [IncomingMessage];
  const closed = once(request.socket, 'close');
  cancel.abort();
  await expect(called).rejects.toThrow();
  await closed;
});
