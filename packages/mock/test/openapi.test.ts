import { type OperationId, operations } from '@confab/client/contract';
import { buildDocument } from '@confab/client/openapi';
import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { serve } from '../src/server/index.ts';

type Definition = ConstructorParameters<typeof OpenAPIBackend>[0]['definition'];

/**
 * Somebody else's validator, driven by the document alone. `quick`, since it holds documents against OpenAPI 3.0: that
 * ours is one of 3.1 is proven beside the document.
 */
const validator = new OpenAPIBackend({
  definition: buildDocument() as unknown as Definition,
  quick: true,
  // So that dates and ids are looked at too.
  customizeAjv: (ajv) => addFormats.default(ajv),
});

beforeAll(async () => {
  await validator.init();
});

const ids = { missing: '00000000-0000-4000-8000-000000000000' };

const open = async () => {
  const mock = createMock({ data: 'demo', clock: 'system', strict: true });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const readOnly = mock.keys.create({ scopes: [] }).key;
  const empty = mock.keys.create({ rateLimit: 0 }).key;
  const found: Partial<Record<string, string>> = {
    conversations: mock.conversations.find()[0]?.id,
    leads: mock.leads.find()[0]?.id,
    agents: mock.agents.find()[0]?.id,
  };

  /** Sends an operation and holds the answer against the document. */
  const send = async (
    operation: OperationId,
    {
      id = found[operation.split('.')[0] ?? ''] ?? '',
      key = mock.apiKey as string | null,
      query = '',
      body = undefined as unknown,
    },
  ) => {
    const { method, path } = operations[operation];
    const response = await fetch(`${server.url}${path.replace('{id}', id)}${query}`, {
      method,
      headers: key === null ? {} : { 'x-api-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const answer = await response.json();
    const bodyCheck = validator.validateResponse(answer, operation, status);
    expect(bodyCheck.errors ?? [], `${operation} ${status}: ${JSON.stringify(answer)}`).toEqual([]);
    const headerCheck = validator.validateResponseHeaders(Object.fromEntries(headers), operation, {
      statusCode: status,
    });
    expect(headerCheck.errors ?? []).toEqual([]);
    return status;
  };
  return { server, send, readOnly, empty };
};

const bodies: Partial<Record<OperationId, object>> = {
  'conversations.sendMessage': { content: 'Hello' },
  'leads.create': { phone: '+442079460958' },
  'leads.update': { status: 'qualified' },
  'agents.invoke': { userMessage: 'Do you deliver on Sundays?' },
};

test.each(Object.keys(operations) as OperationId[])(
  'a third-party validator accepts what %s answers, success and errors',
  async (operation) => {
    const { send, readOnly, empty } = await open();
    const { status, params, method, query } = operations[
      operation
    ] as (typeof operations)['conversations.get'];
    const body = bodies[operation];
    expect(await send(operation, { body })).toBe(status);
    expect(await send(operation, { body, key: null })).toBe(401);
    expect(await send(operation, { body, key: 'confab_live_nobody' })).toBe(401);
    expect(await send(operation, { body, key: readOnly })).toBe(403);
    expect(await send(operation, { body, key: empty })).toBe(429);
    if (params !== undefined) expect(await send(operation, { body, id: ids.missing })).toBe(404);
    if (method !== 'GET') expect(await send(operation, { body: { nonsense: true } })).toBe(400);
    if (query !== undefined) expect(await send(operation, { query: '?nonsense=1' })).toBe(400);
    if (operation === 'leads.create') expect(await send(operation, { body })).toBe(409);
  },
);

test('the validator would notice: a missing field, a wrong type, a wrong envelope', () => {
  const lead = { id: 1 };
  expect(validator.validateResponse({ success: true, data: lead }, 'leads.get', 200).valid).toBe(false);
  expect(validator.validateResponse({ success: false, data: lead }, 'leads.get', 200).valid).toBe(false);
  expect(validator.validateResponse({ success: false, error: 'x' }, 'leads.get', 404).valid).toBe(false);
});

test('the server serves the document, with itself as the place to call', async () => {
  const { server } = await open();
  const response = await fetch(`${server.url}/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildDocument(server.url))));
});
