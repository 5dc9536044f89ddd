import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readBody } from '../src/call/read-body.ts';
import type { ApiError } from '../src/index.ts';
import {
  AuthenticationError,
  BadRequestError,
  createClient,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from '../src/index.ts';
import { caught } from './support/caught.ts';
import { createTestClock } from './support/clock.ts';
import { agent, ids, KEY, lead } from './support/data.ts';
import { failure, json, startServer, success } from './support/server.ts';

const baseUrl = 'https://api.example.com';
const MIB = 2 ** 20;

/** A body that comes in these chunks, when they are asked for. */
const bodyOf = (chunks: Iterable<Uint8Array>) => {
  const source = chunks[Symbol.iterator]();
  const seen = { pulled: 0, canceled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = source.next();
        if (done) {
          controller.close();
          return;
        }
        seen.pulled += value.length;
        controller.enqueue(value);
      },
      cancel() {
        seen.canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
};

function* endless(size: number): Generator<Uint8Array> {
  for (;;) {
    yield new Uint8Array(size).fill(0x20);
  }
}

/** A response as some runtimes and tools create it: its body cannot be read piece by piece. */
const withoutStream = (text: string, status: number, body?: object) =>
  ({ status, headers: new Headers(), body, text: async () => text }) as unknown as Response;

const connect = (stream: () => ReadableStream<Uint8Array>, status = 200, maxResponseBytes?: number) => {
  let sent = 0;
  const confab = createClient({
    baseUrl,
    apiKey: KEY,
    maxResponseBytes,
    clock: createTestClock(),
    fetch: async () => {
      sent += 1;
      return new Response(stream(), { status });
    },
  });
  return { confab, sent: () => sent };
};

describe('a success larger than maxResponseBytes', () => {
  test.each([
    ['GET', (confab: ReturnType<typeof createClient>) => confab.leads.get(ids.lead)],
    ['POST', (confab: ReturnType<typeof createClient>) => confab.leads.create({ phone: '+5511987654321' })],
  ])('is read no further and not requested again: %s', async (_, send) => {
    const { stream, seen } = bodyOf(endless(MIB));
    const { confab, sent } = connect(() => stream);
    const error = await caught(send(confab), InvalidResponseError);
    expect(error).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
    expect(error.message).toContain('more than 10485760 bytes');
    expect(error.message).toContain('raise `maxResponseBytes`');
    expect(seen).toEqual({ pulled: 11 * MIB, canceled: true });
    expect(sent()).toBe(1);
    expect(confab.rateLimit.inFlight).toBe(0);
  });

  test('is refused however small its chunks are', async () => {
    const { stream, seen } = bodyOf(endless(1));
    const { confab } = connect(() => stream, 200, 5_000);
    await caught(confab.leads.get(ids.lead), InvalidResponseError);
    expect(seen).toEqual({ pulled: 5_001, canceled: true });
  });

  test('is refused by its decompressed size', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB, ' '));
    expect(bomb.length).toBeLessThan(30_000);
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    const confab = createClient({ baseUrl: server.url, apiKey: KEY });
    const error = await caught(confab.leads.get(ids.lead), InvalidResponseError);
    expect(error.message).toContain('maxResponseBytes');
    expect(server.arrivals).toHaveLength(1);
  });

  test('is refused when its stream cannot be canceled', async () => {
    const stuck = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel: () => new Promise(() => {}),
    });
    await caught(connect(() => stuck, 200, 5_000).confab.leads.get(ids.lead), InvalidResponseError);
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel: () => Promise.reject(new Error('no')),
    });
    await caught(connect(() => broken, 200, 5_000).confab.leads.get(ids.lead), InvalidResponseError);
  });

  test('is refused when the response has no stream', async () => {
    const text = JSON.stringify({ success: true, data: { ...lead, displayName: 'x'.repeat(1_000) } });
    const get = (maxResponseBytes: number) =>
      createClient({
        baseUrl,
        apiKey: KEY,
        maxResponseBytes,
        fetch: async () => withoutStream(text, 200),
      }).leads.get(ids.lead);
    expect(await get(text.length)).toMatchObject({ id: ids.lead });
    await caught(get(text.length - 1), InvalidResponseError);
  });
});

test('a success of exactly maxResponseBytes is read, and one byte more is not', async () => {
  const body = { success: true, data: { ...lead, displayName: 'Ünïcödé 👋' } };
  const server = await startServer(json(200, body));
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const get = (maxResponseBytes: number) =>
    createClient({ baseUrl: server.url, apiKey: KEY, maxResponseBytes }).leads.get(ids.lead);
  expect(await get(bytes)).toEqual(body.data);
  await caught(get(bytes - 1), InvalidResponseError);
});

test.each([
  [400, BadRequestError],
  [404, NotFoundError],
  [429, RateLimitError],
  [502, ServerError],
])('a %i with a body that has no end is still the error of its status', async (status, type) => {
  const { stream, seen } = bodyOf(endless(MIB));
  const { confab } = connect(() => stream, status);
  const error = await caught(confab.leads.get(ids.lead, { retry: false }), type as typeof ApiError);
  expect(error).toMatchObject({ status, code: `HTTP_${status}`, detail: undefined });
  expect(seen).toEqual({ pulled: 11 * MIB, canceled: true });
});

test('an error page that is too large is cut', async () => {
  const page = Buffer.from(`<h1>Bad gateway</h1>${'x'.repeat(5_000)}`);
  for (const chunks of [[page], [page.subarray(0, 30), page.subarray(30)]]) {
    const { confab } = connect(() => bodyOf(chunks).stream, 502, 4_000);
    const error = await caught(confab.leads.get(ids.lead, { retry: false }), ServerError);
    expect(error.message).toContain('<h1>Bad gateway</h1>');
  }
});

/** A response whose body arrives in pieces of so many characters. */
const inPieces = (text: string, size: number) =>
  new Response(
    bodyOf((text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((piece) => Buffer.from(piece))).stream,
  );

test.each<[how: string, response: (text: string) => Response]>([
  ['at once', (text) => inPieces(text, 20_000)],
  ['in a few pieces', (text) => inPieces(text, 3_000)],
  ['in many pieces', (text) => inPieces(text, 700)],
  ['as a text', (text) => withoutStream(text, 502)],
  ['as a stream of Node', (text) => withoutStream(text, 502, { pipe: () => {} })],
])('of a body that arrives %s and is too large, the same beginning is kept', async (_, response) => {
  const text = 'x'.repeat(20_000);
  expect(await readBody(response(text), 4_500)).toEqual({ text: text.slice(0, 4_000), whole: false });
});

test('a body is read as a text where TextDecoder is missing, as in the jsdom environment of Jest', async () => {
  vi.stubGlobal('TextDecoder', undefined);
  try {
    const response = { success: true, data: lead };
    const get = (maxResponseBytes: number) =>
      createClient({
        baseUrl,
        apiKey: KEY,
        maxResponseBytes,
        fetch: async () => Response.json(response),
      }).leads.get(ids.lead);
    expect(await get(10_000)).toEqual(lead);
    await caught(get(10), InvalidResponseError);
  } finally {
    vi.unstubAllGlobals();
  }
});

test.each([1, 5, KEY.length - 1])(
  'a key that is cut %i characters before its end is not shown',
  async (missing) => {
    const beginning = ' '.repeat(1_000 - KEY.length + missing) + KEY;
    for (const text of [
      `${beginning}${'x'.repeat(5_000)}`,
      `<p>${KEY}</p>${beginning}${'x'.repeat(5_000)}`,
    ]) {
      for (const response of [() => new Response(text, { status: 401 }), () => withoutStream(text, 401)]) {
        for (const maxResponseBytes of [1_000 - missing, 1_000, 3_000]) {
          const confab = createClient({
            baseUrl,
            apiKey: KEY,
            maxResponseBytes,
            fetch: async () => response(),
          });
          const error = await caught(confab.leads.get(ids.lead), AuthenticationError);
          expect(error.message).toContain('a body that starts with');
          expect(error.message).not.toContain(KEY.slice(0, 1 + KEY.length / 2));
          expect(error.message).not.toContain(KEY.slice(0, 4));
        }
      }
    }
  },
);

test('an error text of megabytes is cut, and its code is kept', async () => {
  const server = await startServer(failure(400, 'LONG', `${'x'.repeat(8 * MIB)}${KEY}`));
  const error = await caught(
    createClient({ baseUrl: server.url, apiKey: KEY }).leads.get(ids.lead),
    BadRequestError,
  );
  expect(error).toMatchObject({ code: 'LONG', detail: 'x'.repeat(1_000) });
  expect(error.message.length).toBeLessThan(1_200);
});

test.each([
  ['a 204 that says it has a body', 204, { 'content-length': '9' }],
  ['a redirect with a large body', 302, { location: '/elsewhere' }],
])('%s throws once', async (_, status, headers) => {
  const server = await startServer((_arrival, response) => {
    response
      .writeHead(status, headers as Record<string, string>)
      .end(status === 204 ? undefined : 'x'.repeat(MIB));
  });
  const confab = createClient({ baseUrl: server.url, apiKey: KEY, maxResponseBytes: 1_000 });
  expect(await caught(confab.leads.get(ids.lead), InvalidResponseError)).toMatchObject({ status });
  expect(server.arrivals).toHaveLength(1);
});

test('JSON nested 100,000 deep does not end in a stack overflow', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const answer = (body: string, status = 200) =>
    startServer((_, response) => void response.writeHead(status).end(body));
  for (const validation of ['warn', 'strict', 'off'] as const) {
    const get = async (body: string, status?: number) =>
      createClient({ baseUrl: (await answer(body, status)).url, apiKey: KEY, validation, retry: false });
    await caught((await get(deep)).leads.get(ids.lead), InvalidResponseError);
    await caught(
      (await get(`{"success":false,"error":${deep},"code":"X"}`, 500)).leads.get(ids.lead),
      ServerError,
    );
    const odd = { ...lead, extra: 1 };
    const text = JSON.stringify({ success: true, data: odd }).replace('"extra":1', () => `"extra":${deep}`);
    expect(await (await get(text)).leads.get(ids.lead)).toMatchObject(lead);
    const rows = JSON.stringify({ success: true, data: [agent] }).replace('[{', () => `[${deep},{`);
    await (await get(rows)).agents
      .list()
      .catch((error: unknown) => expect(error).toBeInstanceOf(InvalidResponseError));
  }
});

test.each([0, -1, 1.5, Number.POSITIVE_INFINITY, '10'])(
  'maxResponseBytes: %j is refused',
  (maxResponseBytes) => {
    expect(() =>
      createClient({ baseUrl, apiKey: KEY, maxResponseBytes: maxResponseBytes as number }),
    ).toThrow(/`maxResponseBytes` must be a whole number of at least 1/);
  },
);

test('any text is decoded unchanged, in any chunks, and cut at any limit', { timeout: 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.nat(40), { maxLength: 30 }),
      fc.nat(1_200),
      async (text, sizes, most) => {
        const bytes = new TextEncoder().encode(text);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.slice(at, at + size));
          at += size;
        }
        chunks.push(bytes.slice(at));
        const { stream } = bodyOf(chunks);
        const read = await readBody(new Response(stream), most);
        const whole = await new Response(bytes).text();
        expect(read.whole).toBe(bytes.length <= most);
        expect(read.whole ? read.text : whole.startsWith(read.text.replace(/\uFFFD+$/, ''))).toEqual(
          read.whole ? whole : true,
        );
        // The chunks of the stream are somebody else's.
        expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
      },
    ),
  );
});

test('a success in chunks of one byte costs one buffer', async () => {
  const text = JSON.stringify({ success: true, data: { ...lead, displayName: 'x'.repeat(200_000) } });
  const bytes = new TextEncoder().encode(text);
  const { stream } = bodyOf(
    (function* () {
      for (let at = 0; at < bytes.length; at += 1) {
        yield bytes.subarray(at, at + 1);
      }
    })(),
  );
  const made: number[] = [];
  const Bytes = globalThis.Uint8Array;
  const counted = new Proxy(Bytes, {
    construct(target, args: [number], self) {
      made.push(args[0]);
      return Reflect.construct(target, args, self);
    },
  });
  globalThis.Uint8Array = counted;
  try {
    expect(await readBody(new Response(stream), MIB)).toEqual({ text, whole: true });
  } finally {
    globalThis.Uint8Array = Bytes;
  }
  // It doubles: what all of them take together is less than four times the text.
  expect(made.filter((size) => size > 64).reduce((sum, size) => sum + size, 0)).toBeLessThan(
    4 * bytes.length,
  );
});

describe('a body that breaks the contract in a million places', () => {
  const rows = `[${'0,'.repeat(999_999)}0]`;
  const bodies = {
    'a list': ['agents.list', `{"success":true,"data":${rows}}`],
    'rows that are empty': ['agents.list', `{"success":true,"data":[${'{},'.repeat(999_999)}{}]}`],
    'a list inside': ['conversations.get', `{"success":true,"data":{"messages":${rows}}}`],
  } as const;

  test.each(Object.entries(bodies))(
    'is reported with its first hundred: %s',
    async (_, [operation, body]) => {
      const drifts: number[] = [];
      const confab = createClient({
        baseUrl,
        apiKey: KEY,
        fetch: async () => new Response(body),
        hooks: { onDrift: ({ issues }) => void drifts.push(issues.length) },
      });
      const call = (validation: 'warn' | 'strict') =>
        operation === 'agents.list'
          ? confab.agents.list({ validation })
          : confab.conversations.get(ids.conversation, {}, { validation });
      await call('warn');
      expect(drifts).toEqual([100]);
      const error = await caught(call('strict'), InvalidResponseError);
      expect(error.issues).toHaveLength(100);
      expect(error.message.length).toBeLessThan(10_000);
    },
  );
});

test('each row of a long list is checked, and reported by its index', async () => {
  const agents = Array.from({ length: 1_234 }, () => agent);
  const confab = (data: unknown[]) =>
    createClient({
      baseUrl,
      apiKey: KEY,
      validation: 'strict',
      fetch: async () => Response.json({ success: true, data }),
    });
  expect(await confab(agents).agents.list()).toHaveLength(1_234);
  for (const place of [0, 99, 100, 101, 1_233]) {
    const error = await caught(
      confab(agents.with(place, { ...agent, name: 5 as never })).agents.list(),
      InvalidResponseError,
    );
    expect(error.issues).toEqual([
      { path: `data[${place}].name`, message: 'must be a string, got a number' },
    ]);
  }
});

test('a large success in time is a success', async () => {
  const server = await startServer(success({ ...lead, displayName: 'x'.repeat(3 * MIB) }));
  const got = await createClient({ baseUrl: server.url, apiKey: KEY }).leads.get(ids.lead);
  expect(got.displayName).toHaveLength(3 * MIB);
});
