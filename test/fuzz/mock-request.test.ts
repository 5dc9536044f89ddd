/**
 * Tries queries and JSON bodies of every operation. The mock responds with 400 exactly to what the client would refuse to
 * send, or for one of a few named reasons, and its responses follow the contract.
 */
import type { OperationId } from '@confab/client';
import { createClient, InvalidRequestError } from '@confab/client';
import type { Operation } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import { callOperation, operationIds } from './call-operation.ts';
import { assert, fc, fuzz, isObject, nearJsonText, nearText, parsed, piece, same } from './kit.ts';

type Row = Readonly<Record<string, unknown>>;

const mock = createMock({ data: 'demo', rateLimit: 1_000_000_000, maxLogBytes: 0, strict: false });
const { leads, pipelines, conversations } = mock.dump();
const pipelineIds = new Set(pipelines.map(({ id }) => String(id).toLowerCase()));

/** A client that sends nothing. */
const client = createClient({
  ...{ baseUrl: mock.baseUrl, apiKey: mock.apiKey, retry: false, rateLimit: false, validation: 'off' },
  fetch: async () => Response.json({ success: true, data: [], meta: { total: 0 } }),
});

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

interface Route {
  readonly id: OperationId;
  readonly row?: string | undefined;
}

/** Finds the operation of a path, and the id in it. */
const routed = (method: string, path: string): Route | undefined => {
  for (const id of operationIds) {
    const match = new RegExp(`^${operations[id].path.replace(/\{\w+\}/, '([^/]+)')}$`).exec(path);
    if (match !== null && operations[id].method === method) {
      return { id, row: match[1] && decoded(match[1]) };
    }
  }
  return undefined;
};

const bodyOf = (text: string): unknown => parsed(text.replace(/^\uFEFF/, ''));

/** Whether the client would send such a request. */
const isValid = async ({ id, row }: Route, search: URLSearchParams, text: string): Promise<boolean> => {
  const { query, body } = operations[id] as Operation;
  const isNumber = (name: string, value: string) => /limit$|^offset$/i.test(name) && /^-?\d+$/.test(value);
  const values = [...search].map(([name, value]) => [name, isNumber(name, value) ? Number(value) : value]);
  if (new Set(search.keys()).size < values.length || (query === undefined && values.length > 0)) {
    return false;
  }
  // As JSON, `null` is not a valid body.
  const input = { id: row, query: Object.fromEntries(values), body: body && (bodyOf(text) ?? null) };
  const outcome = await callOperation(client, id, input).catch((error: unknown) => error);
  return !(outcome instanceof InvalidRequestError);
};

/** Whether a text is a moment between the years 0 and 9999 in UTC. */
const isInCalendar = (text: string | null): boolean => {
  const year = new Date(text ?? 0).getUTCFullYear();
  return year >= 0 && year <= 9_999;
};

/** Whether the service may refuse a request of the right shape: only it knows the account and the time. */
const isRefusable = (id: OperationId, search: URLSearchParams, text: string): boolean => {
  if (id === 'leads.create') {
    const { phone, pipelineId } = bodyOf(text) as Row;
    // The mock may read other texts as phone numbers, but must accept all that are in E.164.
    const isUnknown = pipelineId !== undefined && !pipelineIds.has(String(pipelineId).toLowerCase());
    return isUnknown || !/^\+[1-9]\d{4,14}$/.test(String(phone)) || text.split(/[[{]/).length > 101;
  }
  const [from, to] = [search.get('from'), search.get('to')];
  const end = to === null ? mock.clock.now() : Date.parse(to);
  const isPeriod = isInCalendar(from) && isInCalendar(to) && (from === null || Date.parse(from) <= end);
  // Deep JSON is refused before it is parsed, even where a later property of the same name replaces it.
  return (id === 'analytics.funnel' && !isPeriod) || text.split(/[[{]/).length > 101;
};

const [lead, conversation] = [leads[0]?.id, conversations[0]?.id];
const API = '/api/v2/public';
const TARGETS = [
  `GET ${API}/leads?limit=2&offset=1&status=new&search=a`,
  `GET ${API}/leads?pipelineId=${pipelines[0]?.id}&source=website`,
  `GET ${API}/leads/${lead}`,
  `PATCH ${API}/leads/${lead}`,
  `POST ${API}/leads`,
  `GET ${API}/conversations?status=open&limit=100`,
  `GET ${API}/conversations/${conversation}?messagesLimit=10`,
  `POST ${API}/conversations/${conversation}/messages`,
  `GET ${API}/agents`,
  `POST ${API}/agents/${mock.agents.find()[0]?.id}/invoke`,
  `GET ${API}/analytics/funnel?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z`,
];
const BODIES = [
  '{"phone":"+442079460958","displayName":"Ada","email":null,"source":"website"}',
  '{"status":"active","notes":null}',
  '{"content":"Hello"}',
  '{"userMessage":"Hello"}',
].map(parsed);
const TOKENS =
  '&limit= &offset= &status= limit=1&limit=2 %00 + ? & # / %2F .. 2026-01-31T00:00:00+23:59 -000001 100 101 0'.split(
    ' ',
  );
const FIELDS = 'phone pipelineId status customFields +442079460958 \ufeff'.split(' ');

fuzz(
  'mock-request: the mock refuses exactly the requests that the client would not send',
  fc.record({
    line: fc.oneof(fc.constantFrom(...TARGETS), nearText(TARGETS, piece(TOKENS))),
    body: fc.oneof(fc.constant(''), nearJsonText(BODIES, FIELDS)),
    key: fc.oneof({ weight: 9, arbitrary: fc.constant(mock.apiKey) }, fc.constantFrom('wrong', '')),
  }),
  async ({ line, body, key }) => {
    const [method = '', path = ''] = line.split(' ');
    const url = URL.parse(mock.baseUrl + (path.startsWith('/') ? path : `/${path}`));
    if (url?.origin !== new URL(mock.baseUrl).origin || !/^(?:GET|POST|PATCH|PUT|DELETE)$/.test(method)) {
      return;
    }
    const sent = method === 'GET' ? '' : body;
    const init = { method, headers: { 'x-api-key': key }, body: sent === '' ? null : sent };
    const response = await mock.fetch(new Request(url, init));
    const { status } = response;
    const result: unknown = await response.json();
    assert.ok(isObject(result));
    const route = routed(method, url.pathname);
    if (key !== mock.apiKey) {
      assert.ok(status >= 401 && status <= 404, `${status} without a valid key`);
    } else if (route === undefined) {
      assert.ok([400, 404, 405].includes(status), `${status} for a path of no operation`);
    } else {
      const { id } = route;
      const valid = await isValid(route, url.searchParams, sent);
      if (result.success) {
        assert.deepEqual(
          [status, valid],
          [operations[id].status, true],
          'a success that the client would not send',
        );
        assert.ok(operations[id].response.safeParse(result).success, 'the response breaks the contract');
      } else {
        same([typeof result.error, typeof result.code], ['string', 'string'], 'no error envelope');
        assert.ok(valid ? [400, 404, 409].includes(status) : status === 400, `${status}, valid: ${valid}`);
        assert.ok(
          !valid || status !== 400 || isRefusable(id, url.searchParams, sent),
          `400 for a valid request: ${result.error}`,
        );
      }
    }
    if (method !== 'GET') {
      mock.reset();
    }
  },
  [{ line: 'GET /api/v2/public/leads?? ', body: '', key: mock.apiKey }],
);
