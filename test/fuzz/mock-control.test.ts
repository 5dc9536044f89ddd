/**
 * Sends up to four control requests in a row. The mock refuses each with a clear error, or responds as its OpenAPI document
 * says. Afterward, the rows load into a second mock, and a reset restores the first state.
 */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { afterAll } from 'vitest';
import { ENDPOINTS } from '../../packages/mock/src/control/endpoints.ts';
import { createValidator } from '../../packages/mock/test/support/documented.ts';
import { assert, fc, fuzz, nearJsonText, nearText, parsed, piece, same, UNPRINTABLE } from './kit.ts';

const mock = createMock({ data: 'minimal', maxLogBytes: 4_096 });
const before = JSON.stringify(mock.dump());
const { url, close } = await serve(mock);
const { fetch } = globalThis;
const document = await createValidator(await (await fetch(`${url}/__mock/openapi.json`)).json());
// Only requests to the mock are sent. Deliveries of events succeed at once.
globalThis.fetch = async (input, init) =>
  String(input).startsWith(url) ? fetch(input, init) : new Response(null, { status: 204 });
afterAll(async () => {
  globalThis.fetch = fetch;
  await close();
});

/** Matches messages of V8, because the server responds with 400 to its own mistakes too. */
const BUG =
  /^Cannot (?:read|set|convert)|is not (?:a function|iterable|defined)|^Invalid (?:array|string|time)|call stack/;

const REQUESTS = `
POST rows/leads {"phone":"+442079460958","displayName":"Ada"}
GET rows/leads?limit=1&search=nobody
GET rows/leads?where=%7B%22phone%22:null%7D
PATCH rows/pipelines/${mock.pipelines.find()[0]?.id} {"name":"x"}
DELETE rows/agents/${mock.agents.find()[0]?.id}
POST rows/conversations {"channel":"email"}
POST inbound {"phone":"+442079460958","body":"Hi"}
POST snapshots
POST clock {"advance":1000}
POST reset
POST faults {"operation":"leads.list","fault":{"status":503,"headers":{"retry-after":"1"}},"once":false}
POST faults {"operation":"*","fault":{"body":{"a":[1]},"delayMs":5,"bytesPerSecond":9,"match":{"query":{"a":1},"headers":{"x-a":"b"},"body":{"a":[null]}}}}
GET faults
DELETE faults
POST keys {"scopes":["read:leads"],"rateLimit":10}
GET keys
POST requests/verify {"operation":"leads.list","times":1}
GET info
GET state
POST webhooks/endpoints {"url":"https://a.example/hook","secret":"s3cr3t-of-the-endpoint","signature":{"header":"x-sig"}}
POST webhooks/delivery-faults {"copies":2,"delayMs":5,"signature":"wrong","match":{"event":"a","data":{"b":1}},"once":false}
POST requests/count {"params":{"id":"x"},"query":{"limit":1},"status":200}
GET requests?limit=5&status=200
POST keys/revoke {"key":"x"}
POST worlds {"seed":2,"data":{"leads":[{"phone":null}]},"keys":[{"scopes":[],"rateLimit":null}],"rateLimit":{"requests":null,"perMs":5},"latency":{"min":1,"max":2},"scopes":{"leads.list":"read:x"},"webhooks":{"endpoints":[{"url":"https://a.example","secret":"s3cr3t","signature":"standard-webhooks","timeout":null}],"events":{"newConversation":"x"}},"behavior":{"order":{"leads.list":"createdAt asc"},"checks":[401,429,403,400,404],"codes":{"*":{"400":"X"}}}}
GET worlds
POST webhooks/emit {"event":"message.created","data":{"conversationId":"c1","channel":"web","body":"x"}}
POST webhooks/flush
GET deliveries?limit=2`;
const TOKENS =
  'advance set phone id createdAt +442079460958 GET POST PATCH DELETE limit=1 ? & / % 2026-01-31T12:00:00Z'.split(
    ' ',
  );

const lines = REQUESTS.trim()
  .split('\n')
  .map((request) => {
    const [method = '', path = '', body = ''] = request.split(/ (.*?)(?: (.*))?$/);
    return { line: `${method} ${path}`, body };
  });

const requests = lines.map(({ line, body }) =>
  fc.record({
    line: fc.oneof({ weight: 2, arbitrary: fc.constant(line) }, nearText([line], piece(TOKENS))),
    body: body === '' ? fc.constantFrom('', '{}') : nearJsonText([parsed(body)], TOKENS),
  }),
);

/** Each field of each body, with a value that cannot be converted to a string. */
const unprintable = lines.flatMap(({ line, body }) =>
  Object.keys(body === '' ? {} : Object(parsed(body))).map((name) => ({
    requests: [{ line, body: JSON.stringify({ ...Object(parsed(body)), [name]: UNPRINTABLE }) }],
    loads: false,
  })),
);

/** Sends a request to `/__mock/`, and checks the response. */
const send = async (line: string, body: string): Promise<void> => {
  const [method = '', ...rest] = line.split(' ');
  const target = URL.parse(`${url}/__mock/${rest.join(' ')}`);
  const isAt = (path: string) =>
    new RegExp(`/__mock/${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(target?.pathname ?? '');
  const endpoint = ENDPOINTS.find((each) => each.method === method && isAt(each.path));
  // Other endpoints stream events, or respond with documents.
  if (
    endpoint === undefined ||
    target === null ||
    ['openapi', 'api', 'events'].includes(endpoint.operationId)
  ) {
    return;
  }
  const response = await fetch(target, { method, body: method === 'GET' ? null : body });
  const envelope = (await response.json()) as Record<string, unknown>;
  const { success, error, code } = envelope;
  const { errors } = document.validateResponse(envelope, endpoint.operationId, response.status);
  assert.deepEqual(errors ?? [], [], `the response of ${endpoint.operationId} is as documented`);
  if (!success) {
    assert.ok(response.status >= 400 && response.status < 500, `the status is ${response.status}`);
    assert.ok(typeof error === 'string' && typeof code === 'string' && error !== '' && error.length < 10_000);
    assert.doesNotMatch(error, BUG);
  }
};

fuzz(
  'mock-control: control requests are refused clearly or answered as documented, and a reset restores the first state',
  fc.record({
    requests: fc.array(fc.oneof(...requests), { minLength: 1, maxLength: 4 }),
    loads: fc.nat(15).map((number) => number === 15),
  }),
  async ({ requests, loads }) => {
    try {
      for (const { line, body } of requests) {
        await send(line, body);
      }
      // Loading takes longer than everything else.
      if (loads) {
        const after = mock.dump();
        same(createMock({ data: after }).dump(), after, 'the rows in a second mock');
      }
    } finally {
      mock.reset();
    }
    assert.equal(JSON.stringify(mock.dump()), before, 'the rows after a reset');
  },
  unprintable,
);
