import { gzipSync } from 'node:zlib';
import type { SecretLookup } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { hosts, send } from './support/hosts.ts';
import { createReceiver, data, message, secret, signature } from './support/receiver.ts';

const sent = { ...message, data: { ...data, body: 'Grüße 😀 \u2028' } };
const text = JSON.stringify(sent);
const signed = (body: string | Uint8Array) => sign(body, { secret, signature });

describe.for(hosts)('$name', (host) => {
  test.for(cryptoPaths)(
    '$name: a genuine delivery reaches its handler with its data and raw bytes',
    async (path) => {
      const webhooks = path.createWebhooks({ secret, signature });
      const seen: unknown[] = [];
      webhooks.on('message.created', (event, { body, headers, secretIndex }) => {
        seen.push(event.data, Buffer.from(body ?? []).toString(), headers.get('x-id'), secretIndex);
      });
      const url = await host.start(webhooks);
      const headers = { ...(await signed(text)), 'content-type': 'application/json', 'X-Id': '7' };
      expect(await send(url, text, headers)).toMatchObject({ status: 200, json: { ok: true } });
      expect(seen).toEqual([sent.data, text, '7', 0]);
    },
  );

  test('a `secret` function receives the path of the request', async () => {
    const lookup = vi.fn<SecretLookup>(() => secret);
    const { webhooks } = createReceiver({ secret: lookup });
    const url = await host.start(webhooks);
    expect(await send(url, text, await signed(text))).toMatchObject({ status: 200 });
    const paths = lookup.mock.calls.map(([request]) => new URL(request.url, 'http://localhost').pathname);
    expect(paths).toEqual(['/webhooks']);
  });

  test.for(cryptoPaths)(
    '$name: bytes that are not UTF-8 arrive unchanged, unless passed as text',
    async (path) => {
      const { webhooks, errors } = createReceiver({}, path.createWebhooks);
      const url = await host.start(webhooks);
      const bytes = Buffer.from('{"event":"x","data":{"a":"\xff"}}', 'latin1');
      await send(url, bytes, await signed(bytes));
      expect(errors).toMatchObject([{ code: host.binary ? 'INVALID_ENCODING' : 'SIGNATURE_MISMATCH' }]);
    },
  );

  test('with `decompress`, a compressed body is read, unless the framework decompresses it or passes text', async () => {
    const { webhooks, handled, errors } = createReceiver({ signature: { ...signature, decompress: true } });
    const url = await host.start(webhooks);
    const headers = { ...(await signed(text)), 'content-type': 'x/y', 'content-encoding': 'gzip' };
    const { status } = await send(url, gzipSync(text), headers);
    if (host.binary && !host.name.endsWith('express.raw()')) {
      expect([status, handled]).toEqual([200, [{ ...sent, known: true }]]);
    } else {
      expect([status, errors]).toMatchObject([400, [{ code: 'INVALID_ENCODING' }]]);
    }
  });

  test('a refused delivery gets its status, is reported to onError and reaches no handler', async () => {
    const { webhooks, handled, errors } = createReceiver({ maxBodyBytes: 1000 });
    const url = await host.start(webhooks);
    const { 'x-sig': good = '' } = await signed(text);
    const noData = '{"event":"message.created","data":{}}';
    const rows: [code: string, status: number, body: string, headers: Record<string, string | string[]>][] = [
      ['MISSING_SIGNATURE', 401, text, {}],
      ['MALFORMED_SIGNATURE', 401, text, { 'x-sig': 'abc' }],
      ['AMBIGUOUS_SIGNATURE', 401, text, { 'x-sig': [good, good] }],
      ['SIGNATURE_MISMATCH', 401, `${text} `, { 'x-sig': good }],
      ['SIGNATURE_MISMATCH', 401, '', await signed(' ')],
      ['BODY_TOO_LARGE', 413, 'x'.repeat(1001), { 'x-sig': good }],
      ['INVALID_JSON', 400, 'hello', await signed('hello')],
      ['INVALID_JSON', 400, '', await signed('')],
      ['INVALID_EVENT', 400, noData, await signed(noData)],
    ];
    for (const [code, status, body, headers] of rows) {
      const response = await send(url, body, headers);
      expect([response.status, response.json]).toEqual([status, { error: code }]);
      expect(errors.pop()).toMatchObject({ code, status });
    }
    expect([errors, handled]).toEqual([[], []]);
  });

  test('a request with any method but POST gets a 405 that allows POST', async () => {
    const url = await host.start(createReceiver().webhooks);
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers, json } = await send(url, '', {}, method);
      expect([status, headers.allow, json]).toEqual([405, 'POST', { error: 'METHOD_NOT_ALLOWED' }]);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  test('onError handlers that hang, throw or reject neither delay nor change a response', async () => {
    const { webhooks, errors } = createReceiver();
    webhooks.onError(() => new Promise(() => {}));
    webhooks.onError(() => Promise.reject(new Error('log server down')));
    webhooks.onError(() => {
      throw new Error('log server down');
    });
    const url = await host.start(webhooks);
    const responses = await Promise.all([send(url, text, {}), send(url, text, {})]);
    expect(responses).toMatchObject([{ status: 401 }, { status: 401 }]);
    expect(errors).toHaveLength(2);
  });
});

test.for(hosts.filter(({ name }) => /node:http|Connect|Express|Fastify/.test(name)))(
  '$name: onError handlers run after the response is written',
  async (host) => {
    const webhooks = createWebhooks({ secret, signature });
    const order: string[] = [];
    const reported = Promise.withResolvers<void>();
    webhooks.onError(() => {
      order.push('reported');
      reported.resolve();
    });
    const receive: typeof webhooks.receive = async (request) => {
      const response = await webhooks.receive(request);
      order.push('responded');
      return response;
    };
    const url = await host.start({ ...webhooks, receive });
    await send(url, text, {});
    await reported.promise;
    expect(order).toEqual(['responded', 'reported']);
  },
);
