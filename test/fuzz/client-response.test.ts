/**
 * Tries responses of any status to every operation. An error has the right class and code, a short message on one line,
 * and no key. With `strict`, a body is accepted exactly if the schema of the contract accepts it, and the data is what the
 * service sent.
 */
import { inspect } from 'node:util';
import type { ApiError, ClientOptions, OperationId } from '@confab/client';
import { ConfabError, createClient, InvalidResponseError } from '@confab/client';
import { operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import { callOperation, isPaged, operationIds } from './call-operation.ts';
import {
  assert,
  checkHidden,
  checkMessage,
  fc,
  fuzz,
  isObject,
  nearJson,
  nearJsonText,
  nearText,
  parsed,
  piece,
  same,
} from './kit.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
const ERRORS = [`The key ${KEY} lacks the scope write:leads.`, 'In use'].flatMap((error) =>
  ['FORBIDDEN', KEY].map((code) => ({ success: false, error, code })),
);
const TEXTS = [`<html><title>${KEY} is unknown</title></html>`, `upstream connect error: key ${KEY} refused`];
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  location: `https://login.example.com/${KEY}/x?key=${KEY}`,
  'retry-after': `30 ${KEY}`,
};
const TOKENS = [
  KEY,
  'read:leads',
  'https://',
  '2026-01-31T12:00:00Z',
  'text/plain',
  'application/json',
  'id',
  'data',
  'meta',
];

const mock = createMock({ data: 'demo' });
const rows = {
  conversations: mock.conversations.find(),
  leads: mock.leads.find(),
  agents: mock.agents.find(),
  analytics: [],
};

/** Returns what the mock responds to an operation. */
const genuine = async (id: OperationId): Promise<unknown> => {
  let body: unknown;
  const fetch: ClientOptions['fetch'] = async (url, init) => {
    const response = await mock.fetch(new Request(url, init));
    body = await response.clone().json();
    return response;
  };
  const row = rows[id.split('.')[0] as keyof typeof rows][0];
  const query = isPaged(id) ? { limit: 3 } : undefined;
  await callOperation(createClient({ ...mock.clientOptions, fetch }), id, { id: row?.id, query });
  return body;
};

const CLASSES = {
  400: 'BadRequest',
  401: 'Authentication',
  403: 'Permission',
  404: 'NotFound',
  409: 'Conflict',
  429: 'RateLimit',
};

const checkApiError = (error: ApiError, status: number, body: unknown): void => {
  const name = status >= 500 ? 'Server' : (CLASSES[status as keyof typeof CLASSES] ?? 'Api');
  assert.deepEqual([error.name, error.status], [`${name}Error`, status]);
  const { success, error: text, code } = isObject(body) ? body : {};
  if (success !== false || typeof text !== 'string' || typeof code !== 'string') {
    assert.deepEqual([error.code, error.detail], [`HTTP_${status}`, undefined]);
  } else if (/^\w{1,100}$/.test(code) && !code.toLowerCase().includes(KEY.toLowerCase())) {
    assert.equal(error.code, code);
  }
  assert.ok(
    error.code.length <= 100 && `${error.detail}`.length <= 1_000 && `${error.body}`.length <= 10_000,
  );
  assert.ok(error.docsUrl === undefined || URL.canParse(error.docsUrl));
};

/** Whether a client can use the body of a success: rows of pages need an id. */
const isUsable = (id: OperationId, body: unknown): body is { data: unknown } => {
  const { success, ...rest } = isObject(body) ? body : {};
  const hasRows =
    Array.isArray(rest.data) && rest.data.every((row) => isObject(row) && typeof row.id === 'string');
  return success === true && (isPaged(id) ? hasRows : 'data' in rest);
};

/** Leaves out rows whose id occurred before, as a list does. */
const withoutDuplicates = (rows: unknown) =>
  (rows as { id: string }[]).filter(({ id }, index, all) => all.findIndex((row) => row.id === id) === index);

/** Whether a body follows the contract, and the metadata of a page can be true. */
const isValid = (id: OperationId, body: unknown): boolean => {
  const { success, data } = operations[id].response.safeParse(body);
  const { data: rows, meta } = (data ?? {}) as { data: unknown[]; meta: { total: number; offset: number } };
  return success && (!isPaged(id) || (meta.offset === 0 && meta.total >= rows.length));
};

const header = (value: string) =>
  nearText([value], piece(TOKENS)).map((text) => text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, ''));
const bodies = operationIds.map(async (id) => {
  const like = nearJson([await genuine(id)], TOKENS).map((value) => JSON.stringify(value) ?? '');
  const text = fc.oneof(
    { weight: 2, arbitrary: like },
    nearJsonText(ERRORS, TOKENS),
    nearText(TEXTS, piece(TOKENS)),
  );
  return fc.record({ id: fc.constant(id), text });
});

fuzz(
  'client-response: a response of any kind becomes the right error, without the key, or the data that was sent',
  fc.record({
    body: fc.oneof(...(await Promise.all(bodies))),
    status: fc.oneof(
      fc.constantFrom(200, 201, ...Object.keys(CLASSES).map(Number)),
      fc.integer({ min: 200, max: 599 }),
    ),
    headers: fc.record(
      Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, header(value)])),
    ),
    validation: fc.constantFrom('strict' as const, 'warn' as const, 'off' as const),
  }),
  async ({ body: { id, text }, status, headers, validation }) => {
    const sent = [204, 205, 304].includes(status) ? null : text;
    const body = parsed(sent ?? '');
    const drift: unknown[] = [];
    const confab = createClient({
      ...{ baseUrl: 'https://api.example.com', apiKey: KEY, retry: false, rateLimit: false, validation },
      hooks: { onDrift: ({ issues }) => void drift.push(issues) },
      fetch: async () => new Response(sent, { status, headers }),
    });
    const isAccepted = status < 300 && isUsable(id, body) && (validation !== 'strict' || isValid(id, body));
    try {
      const data = await callOperation(confab, id);
      assert.ok(isAccepted, 'an invalid response was accepted');
      same(data, isPaged(id) ? withoutDuplicates(body.data) : body.data, 'the data was changed');
      assert.equal(drift.length > 0, validation === 'warn' && !isValid(id, body), 'reported as drift');
    } catch (error) {
      assert.ok(error instanceof ConfabError && !isAccepted, error as Error);
      // Each issue has a line of its own.
      const lines = error instanceof InvalidResponseError ? error.message.split('\n') : [error.message];
      assert.ok(lines.length <= 110);
      lines.map((line) => checkMessage(line, [KEY], 1_600));
      checkHidden(JSON.stringify(error) + inspect(error, { depth: 9, showHidden: true }), [KEY]);
      if (status < 400) {
        assert.ok(error instanceof InvalidResponseError, error);
      } else {
        checkApiError(error as ApiError, status, body);
      }
    }
  },
);
