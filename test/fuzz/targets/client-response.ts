/**
 * Responses of any status to every operation: class, code and length of errors, one line, no key in any of them; a body
 * passes `strict` exactly if the schema of the contract accepts it, and the data is what the service sent.
 */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { ApiError, ClientOptions, OperationId, ValidationMode } from '@confab/client';
import { ConfabError, createClient, InvalidResponseError } from '@confab/client';
import { operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import * as fc from 'fast-check';
import { checkHidden, checkMessage, isObject, parsed, same } from '../checks.ts';
import { callOperation, isPaged, operationIds } from '../contract.ts';
import { nearJson, nearJsonText, nearText, piece } from '../inputs.ts';
import { target as define } from '../target.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
const ERRORS = [
  { success: false, error: 'This key lacks the scope write:leads.', code: 'FORBIDDEN' },
  { success: false, error: `The key ${KEY} lacks the scope write:leads.`, code: KEY },
];
const TEXTS = [
  '<html><head><title>502 Bad Gateway</title></head></html>',
  `<html><title>${KEY} is unknown</title></html>`,
  `upstream connect error: key ${KEY} refused`,
];
const HEADERS = {
  'content-type': ['text/html; charset=utf-8', 'text/plain', 'application/json'],
  location: ['https://login.example.com/?token=x', `https://login.example.com/${KEY}/x?key=${KEY}`],
  'retry-after': ['30', KEY],
  'x-ratelimit-limit': ['600', KEY],
};
const TOKENS = [
  KEY,
  'read:leads',
  'https://',
  '2026-01-31T12:00:00Z',
  '\\u0063onfab',
  ...Object.keys(HEADERS),
];

/** What the mock responds to each operation. */
const genuine = async (id: OperationId): Promise<unknown> => {
  const mock = createMock({ data: 'demo' });
  const rows = {
    conversations: mock.conversations,
    leads: mock.leads,
    agents: mock.agents,
    analytics: undefined,
  };
  let body: unknown;
  const fetch: ClientOptions['fetch'] = async (url, init) => {
    const response = await mock.fetch(new Request(url, init));
    body = await response.clone().json();
    return response;
  };
  const row = rows[id.split('.')[0] as keyof typeof rows]?.find()[0];
  await callOperation(createClient({ ...mock.clientOptions, fetch }), id, {
    id: row?.id,
    query: isPaged(id) ? { limit: 3 } : undefined,
  });
  return body;
};

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  429: 'RateLimitError',
};

const checkApiError = (error: ApiError, status: number, body: unknown): void => {
  assert.equal(error.name, status >= 500 ? 'ServerError' : (CLASSES[status] ?? 'ApiError'));
  assert.equal(error.status, status);
  const { success, error: text, code } = isObject(body) ? body : {};
  if (success !== false || typeof text !== 'string' || typeof code !== 'string') {
    assert.deepEqual([error.code, error.detail], [`HTTP_${status}`, undefined]);
  } else if (/^\w{1,100}$/.test(code) && !code.toLowerCase().includes(KEY.toLowerCase())) {
    assert.equal(error.code, code);
  }
  assert.ok(error.code.length <= 100 && (error.detail ?? '').length <= 1_000, 'a long code or detail');
  assert.ok((error.body ?? '').length <= 10_000, 'a long body');
  assert.ok(error.docsUrl === undefined || URL.canParse(error.docsUrl));
};

/** Whether a page can be read: each row has its id. */
const hasRows = ({ data }: { readonly data?: unknown }): boolean =>
  Array.isArray(data) && data.every((row) => isObject(row) && typeof row.id === 'string');

/** Whether the metadata of a first page can't be true of its rows. */
const contradictsItself = (page: unknown): boolean => {
  const { data, meta } = page as { data: unknown[]; meta: { total: number; offset: number } };
  return meta.offset !== 0 || meta.total < data.length;
};

interface Answer {
  readonly id: OperationId;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly validation: ValidationMode;
}

/** Responses with errors, with anything, and with data that is like the genuine one. */
const answers = async (id: OperationId): Promise<fc.Arbitrary<Answer>> => {
  const data = nearJson([await genuine(id)], TOKENS).map((value) => JSON.stringify(value) ?? '');
  return fc.record({
    id: fc.constant(id),
    status: fc.oneof(
      fc.constantFrom(200, 201, ...Object.keys(CLASSES).map(Number)),
      fc.integer({ min: 200, max: 599 }),
    ),
    headers: fc.record(
      Object.fromEntries(
        Object.entries(HEADERS).map(([name, values]) => [
          name,
          nearText(values, piece(TOKENS)).map((value) => value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')),
        ]),
      ),
      { requiredKeys: [] },
    ),
    text: fc.oneof(
      { weight: 2, arbitrary: data },
      nearJsonText(ERRORS, TOKENS),
      nearText(TEXTS, piece(TOKENS)),
    ),
    validation: fc.constantFrom('strict', 'warn', 'off'),
  });
};

export const target = define(
  fc.oneof(...(await Promise.all(operationIds.map(answers)))),
  async ({ id, status, headers, text, validation }) => {
    const sent = [204, 205, 304].includes(status) ? '' : text;
    const body = parsed(sent);
    const isEnvelope =
      isObject(body) && body.success === true && (isPaged(id) ? hasRows(body) : 'data' in body);
    const isValid =
      operations[id].response.safeParse(body).success && !(isPaged(id) && contradictsItself(body));
    let drifted = false;
    const confab = createClient({
      baseUrl: 'https://api.example.com',
      apiKey: KEY,
      retry: false,
      rateLimit: false,
      validation,
      hooks: { onDrift: () => void (drifted = true) },
      fetch: async () => new Response(sent === '' ? null : sent, { status, headers }),
    });
    const outcome = await callOperation(confab, id).catch((error: unknown) => ({ error }));
    if (isObject(outcome) && 'error' in outcome) {
      const { error } = outcome;
      assert.ok(error instanceof ConfabError, error as Error);
      // Issues have a line each.
      const lines = error instanceof InvalidResponseError ? error.message.split('\n') : [error.message];
      assert.ok(lines.length <= 110);
      for (const line of lines) {
        checkMessage(line, [KEY], 1_600);
      }
      checkHidden(JSON.stringify(error) + inspect(error, { depth: 9, showHidden: true }), [KEY]);
      if (status < 400) {
        assert.ok(error instanceof InvalidResponseError, error);
        assert.ok(status >= 300 || !isEnvelope || (validation === 'strict' && !isValid), error);
      } else {
        checkApiError(error as ApiError, status, body);
      }
      return;
    }
    assert.ok(
      status < 300 && isEnvelope && (validation !== 'strict' || isValid),
      'an invalid response was accepted',
    );
    same(outcome, body.data, 'the data was changed');
    assert.equal(drifted, validation === 'warn' && !isValid, 'reported as drift');
  },
);
