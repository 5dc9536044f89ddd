import { checkShape } from '../../../packages/client/src/contract/check-shape.ts';
import type { Operation } from '../../../packages/client/src/contract/index.ts';
import { operations } from '../../../packages/client/src/contract/index.ts';
import type { Shape } from '../../../packages/client/src/contract/shape.ts';
import { shapes } from '../../../packages/client/src/contract/shapes.ts';
import type { OperationId } from '../../../packages/client/src/contract/types/index.ts';
import { createMock } from '../../../packages/mock/src/create-mock.ts';
import { readMessage } from '../engine/message.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const mock = createMock({ data: 'demo', rateLimit: 1_000_000_000, maxLogBytes: 0, strict: false });
const all = Object.values(operations) as Operation[];
const { leads, pipelines: rows } = mock.dump();
const pipelines = new Set(rows.map(({ id }) => String(id).toLowerCase()));

type Row = Readonly<Record<string, unknown>>;

const decoded = (segment = ''): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The operation of a path, and the parameters in it. */
const routed = (method: string, path: string) => {
  for (const operation of all) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const match = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (match !== null && operation.method === method) {
      return {
        operation,
        params: Object.fromEntries(names.map((name, at) => [name, decoded(match[at + 1])])),
      };
    }
  }
  return undefined;
};

const fits = (value: unknown, shape: Shape | undefined): boolean =>
  shape === undefined || checkShape(value, shape, { show: () => '', most: 1 }).length === 0;

const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** Whether the client would send such a request: it checks by shapes, the mock by schemas. */
const isValid = (id: OperationId, params: Row, search: URLSearchParams, text: string): boolean => {
  const { query, body, params: path } = shapes[id] as { query?: Shape; body?: Shape; params?: Shape };
  const names = [...search.keys()];
  const values = Object.fromEntries(
    [...search].map(([name, value]) => {
      const isNumber = query?.properties?.[name]?.type === 'integer' && /^-?\d+$/.test(value);
      return [name, isNumber ? Number(value) : value];
    }),
  );
  return (
    new Set(names).size === names.length &&
    (query === undefined ? names.length === 0 : fits(values, query)) &&
    fits(params, path) &&
    fits(body && bodyOf(text), body)
  );
};

/** Whether a text is a moment between the years 0 and 9999 in UTC. */
const isInCalendar = (text: string | null): boolean => {
  const year = new Date(text ?? 0).getUTCFullYear();
  return year >= 0 && year <= 9_999;
};

/** Why the service refuses requests that have the right shape: only it knows the account and the time. */
const REASONS: Partial<Record<OperationId, (search: URLSearchParams, body: Row) => boolean>> = {
  // The mock may read other texts as phones, but must accept each one in E.164.
  'leads.create': (_, { phone, pipelineId }) =>
    !/^\+[1-9]\d{4,14}$/.test(String(phone)) ||
    (pipelineId !== undefined && !pipelines.has(String(pipelineId).toLowerCase())),
  'analytics.funnel': (search) => {
    const [from, to] = [search.get('from'), search.get('to')];
    const end = to === null ? mock.clock.now() : Date.parse(to);
    return !(isInCalendar(from) && isInCalendar(to)) || (from !== null && Date.parse(from) > end);
  },
};

/** Whether the service may refuse a request that the client would send. */
const isRefusable = (id: OperationId, search: URLSearchParams, text: string): boolean =>
  // Deep JSON is refused before it is parsed, even where a later property of the same name replaces it.
  text.split(/[[{]/).length > 101 || REASONS[id]?.(search, bodyOf(text) as Row) === true;

/** Checks a page of leads against a filter over all rows. */
const checkLeads = (search: URLSearchParams, { data, meta }: { data: Row[]; meta: Row }): void => {
  const wanted = leads.filter((lead) => {
    const text = search.get('search')?.toLowerCase() ?? '';
    const isFound = [lead.displayName, lead.email, lead.phone].some((value) =>
      value?.toLowerCase().includes(text),
    );
    return (
      (text === '' || isFound) &&
      (search.get('status') ?? lead.status) === lead.status &&
      (search.get('source') ?? lead.source) === lead.source &&
      (search.get('pipelineId') ?? String(lead.pipelineId)).toLowerCase() === lead.pipelineId
    );
  });
  const [limit, offset] = [Number(search.get('limit') ?? 50), Number(search.get('offset') ?? 0)];
  same(meta.total, wanted.length, 'the total');
  same(data.length, Math.min(Number(meta.limit), Math.max(0, wanted.length - offset)), 'rows of the page');
  hold(search.get('limit') === null || meta.limit === limit, 'the limit');
  const ids = new Set(wanted.map(({ id }) => id));
  hold(
    data.every(({ id }) => ids.has(String(id))),
    'a row that the query excludes',
  );
};

/** The first line is the method and the path with its query. */
export const target: Target = {
  checks:
    'Queries and JSON bodies of every operation: 400 exactly for what the client would refuse to send, or for one of a few named reasons; envelopes and rows that the contract allows, lists that a plain filter confirms',
  maxBytes: 800,
  work: (bytes) => 60_000 + 400 * bytes,
  words: [
    'GET /api/v2/public/leads?',
    '&limit=',
    '&offset=',
    '&status=',
    '%00',
    '+',
    'limit=1&limit=2',
    '"phone":"+442079460958"',
    ...leads.slice(0, 2).map(({ id }) => String(id)),
  ],
  run: async (input) => {
    const { line, body, headers } = readMessage(input);
    const [method = '', target = ''] = line.split(' ');
    const text = body.toString('utf8');
    const url = URL.parse(mock.baseUrl + (target.startsWith('/') ? target : `/${target}`));
    if (
      url === null ||
      url.origin !== new URL(mock.baseUrl).origin ||
      !/^(?:GET|POST|PATCH|PUT|DELETE)$/.test(method)
    ) {
      return;
    }
    const hasBody = method !== 'GET' && text !== '';
    const auth = headers[0]?.[1].replaceAll(/[^\x21-\x7e]/g, '') ?? mock.apiKey;
    const request = new Request(url, {
      method,
      headers: { 'x-api-key': auth },
      ...(hasBody ? { body: text } : {}),
    });
    const response = await mock.fetch(request);
    const result = (await response.json()) as { success: boolean; data: Row[]; meta: Row };
    const { status } = response;
    if (auth !== mock.apiKey) {
      hold(status >= 401 && status <= 404, `${status} without a valid key`);
      return;
    }
    const route = routed(method, url.pathname);
    if (route === undefined) {
      hold([400, 404, 405].includes(status), `${status} for a path of no operation`);
      return;
    }
    const { operation, params } = route;
    const id = operation.id as OperationId;
    const sent = hasBody ? text : '';
    const valid = isValid(id, params as Row, url.searchParams, sent);
    if (result.success) {
      same(
        [status, valid],
        [operation.status, true],
        'status of a success, and whether the request is valid',
      );
      hold(operation.response.safeParse(result).success, 'the response breaks the contract');
      if (operation.id === 'leads.list') {
        checkLeads(url.searchParams, result);
      }
    } else {
      const error = result as unknown as { error: unknown; code: unknown };
      hold(typeof error.error === 'string' && typeof error.code === 'string', 'no error envelope');
      hold([400, 404, 409].includes(status), `the status is ${status}`);
      hold(valid || status === 400, `${status} for an invalid request`);
      const isRefused = valid && status === 400;
      hold(!isRefused || isRefusable(id, url.searchParams, sent), `400 for a valid request: ${error.error}`);
    }
    if (method !== 'GET') {
      mock.reset();
    }
  },
};
