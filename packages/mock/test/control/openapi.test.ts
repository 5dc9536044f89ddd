import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import openapi from '@confab/client/openapi.json' with { type: 'json' };
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { createValidator } from '../support/documented.ts';
import { hosts } from '../support/hosts.ts';
import { delivered } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

interface Described {
  readonly responses: object;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
}

const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = openapi.paths;

const describedOf = (operation: OperationId): Described | undefined => {
  const { method, path } = operations[operation];
  return paths[path]?.[method.toLowerCase()];
};

const served = hosts.find(({ name }) => name === 'serve()')!;

const validator = await createValidator(openapi);

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const KEYS = [
  { key: 'read-only', scopes: [] },
  { key: 'empty', rateLimit: 0 },
];

const OPTIONS = { data: 'demo', clock: 'system', keys: KEYS } as const;

/** Sends operations, and checks each response against the document. */
const documented = async () => {
  const { mock, send } = await served.open(OPTIONS);
  const ids: Partial<Record<string, string>> = {
    conversations: mock.conversations.find()[0]?.id,
    leads: mock.leads.find()[0]?.id,
    agents: mock.agents.find()[0]?.id,
  };
  return async (operation: OperationId, request: Parameters<typeof send>[1]): Promise<number> => {
    const id = ids[operation.split('.')[0] ?? ''] ?? '';
    const { status, headers, body } = await send(operation, { id, ...request });
    expect(Object.keys(describedOf(operation)?.responses ?? {})).toContain(String(status));
    const { errors } = validator.validateResponse(body, operation, status);
    expect(errors ?? [], `${operation} ${status}: ${JSON.stringify(body)}`).toEqual([]);
    const sent = Object.fromEntries(headers);
    const ofHeaders = validator.validateResponseHeaders(sent, operation, { statusCode: status });
    expect(ofHeaders.errors ?? []).toEqual([]);
    return status;
  };
};

const OPERATIONS = Object.keys(operations) as OperationId[];

test.each(OPERATIONS)('a third-party validator accepts all responses of %s', async (operation) => {
  const send = await documented();
  const { status, params } = operations[operation] as (typeof operations)['conversations.get'];
  const example = describedOf(operation)?.requestBody?.content['application/json'].example;
  // The mock does not have the pipeline of the example.
  const body = example && { ...example, pipelineId: undefined };
  expect(await send(operation, { body })).toBe(status);
  const refusals: [Parameters<typeof send>[1], number][] = [
    [{ body, key: null }, 401],
    [{ body, key: 'confab_live_nobody' }, 401],
    [{ body, key: 'read-only' }, 403],
    [{ body, key: 'empty' }, 429],
    [{ body, query: 'nonsense=1' }, 400],
    ...(params === undefined ? [] : [[{ body, id: UNKNOWN }, 404] as [object, number]]),
    ...(body === undefined ? [] : [[{ body: { text: 'x'.repeat(2 ** 20) } }, 413] as [object, number]]),
    ...(operation === 'leads.create' ? [[{ body }, 409] as [object, number]] : []),
  ];
  for (const [request, refused] of refusals) {
    expect(await send(operation, request)).toBe(refused);
  }
});

test('the third-party validator notices a missing field, a wrong type and a wrong envelope', () => {
  const lead = { id: 1 };
  expect(validator.validateResponse({ success: true, data: lead }, 'leads.get', 200).valid).toBe(false);
  expect(validator.validateResponse({ success: false, data: lead }, 'leads.get', 200).valid).toBe(false);
  expect(validator.validateResponse({ success: false, error: 'x' }, 'leads.get', 404).valid).toBe(false);
});

interface Operation {
  readonly operationId: OperationId;
  readonly parameters: { name: string; in: string; example: unknown }[];
  readonly requestBody?: { content: { 'application/json': { example: object } } };
  readonly responses: object;
}

interface Served {
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { post: Operation }>;
}

const read = async (url: string, path = '/openapi.json'): Promise<Served> => {
  const response = await fetch(url + path);
  expect(response.headers.get('content-type')).toBe('application/json');
  return (await response.json()) as Served;
};

/** The same document with rows of the mock as examples. */
const WITH_ROWS = '/__mock/api.json';

/** Sends exactly the examples of the document. Resolves to the documented and the received statuses. */
const sendExamples = async (url: string, key: string) => {
  const { paths, servers } = await read(url, WITH_ROWS);
  const outcomes: [operation: string, promised: number, received: number][] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, parameters, requestBody, responses }] of Object.entries(methods)) {
      const target = new URL(servers[0]?.url + path);
      for (const { name, in: place, example } of parameters) {
        if (place === 'query') {
          target.searchParams.set(name, String(example));
        } else {
          target.pathname = decodeURI(target.pathname).replace(`{${name}}`, String(example));
        }
      }
      const body = requestBody?.content['application/json'].example;
      const { status } = await fetch(target, {
        method: method.toUpperCase(),
        headers: { 'x-api-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      outcomes.push([operationId, Number(Object.keys(responses)[0]), status]);
    }
  }
  return outcomes;
};

test('the server serves the OpenAPI document of the API, with its own URL', async () => {
  const { server } = await start({}, OPTIONS);
  const { parameters, ...components } = openapi.components;
  const document = await read(server.url);
  expect(document).toEqual({
    ...openapi,
    servers: [{ url: server.url, description: expect.any(String) }],
    paths: expect.any(Object),
    components,
  });
  const path = '/api/v2/public/leads/{id}';
  const get = { ...openapi.paths[path].get, parameters: [parameters.LeadId] };
  // Some tools don't resolve references to parameters.
  expect(document.paths[path]?.get).toEqual(get);
});

test('every example of the OpenAPI document with rows succeeds, however often it is sent', async () => {
  const { server, mock } = await start({}, OPTIONS);
  for (let times = 0; times < 2; times += 1) {
    const outcomes = await sendExamples(server.url, mock.apiKey);
    expect(outcomes).toHaveLength(Object.keys(operations).length);
    for (const [operation, promised, received] of outcomes) {
      expect(received, operation).toBe(promised);
    }
  }
});

test('/openapi.json needs no key and contains no rows; /__mock/api.json has rows and an unused phone number', async () => {
  const { server, mock } = await start({}, OPTIONS);
  const before = await read(server.url);
  const lead = mock.leads.create({ phone: '+442079460958', displayName: 'Secret Person' });
  expect(await read(server.url)).toEqual(before);
  const text = JSON.stringify(await read(server.url, WITH_ROWS));
  expect(text).toContain(`"example":"${mock.conversations.find()[0]?.id}"`);
  expect(text).not.toContain(`"example":{"phone":"${lead.phone}"`);
  expect(text).toContain('"example":{"phone":"+442079460959"');

  const empty = await start({}, { data: {}, clock: 'system' });
  expect(Object.keys((await read(empty.server.url, WITH_ROWS)).paths)).toEqual(Object.keys(openapi.paths));
});

test('a receiver accepts the example of a delivery, signed in the header that the mock sends', async () => {
  const { server, mock } = await start({}, OPTIONS);
  const { post } = (await read(server.url)).webhooks['message.created'] ?? {};
  const [{ name = '', example = '' } = {}] = post?.parameters ?? [];
  const signature = { header: name, encoding: 'hex' } as const;
  const webhooks = createWebhooks({ secret: 'example-signing-secret', signature });
  const event = post?.requestBody?.content['application/json'].example;
  const headers = { [name]: String(example) };
  expect(await webhooks.unwrap(JSON.stringify(event), headers)).toEqual({ ...event, known: true });

  await delivered(mock, { fetch: () => new Response() });
  const [{ signature: sent = {} } = {}] = mock.webhooks.deliveries[0]?.attempts ?? [];
  expect(Object.keys(sent)).toEqual([name.toLowerCase()]);
});
