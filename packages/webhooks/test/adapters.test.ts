import type { WebhookError } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { describe, expect, test } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { hosts, send } from './support/hosts.ts';
import { vectors } from './support/vectors.ts';

const secret = 'a secret of the test';
const signature = { header: 'x-signature' };
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Grüße 😀 \u2028' },
};
const text = JSON.stringify(message);
const signed = (body: string | Uint8Array) => sign(body, { secret, signature });

describe.for(hosts)('$name', (host) => {
  test.for(cryptoPaths)(
    '$name: a genuine delivery reaches its handler with its data and raw bytes',
    async (path) => {
      const webhooks = path.createWebhooks({ secret, signature });
      const seen: unknown[] = [];
      webhooks.on('message.created', ({ data }, { body, headers, secretIndex }) => {
        seen.push(data, Buffer.from(body ?? []).toString(), headers.get('x-id'), secretIndex);
      });
      await using server = await host.start(webhooks);
      const headers = { ...(await signed(text)), 'content-type': 'application/json', 'X-Id': '7' };
      expect(await send(server, text, headers)).toMatchObject({ status: 200, json: { ok: true } });
      expect(seen).toEqual([message.data, text, '7', 0]);
    },
  );

  for (const path of cryptoPaths) {
    test.for(host.binary ? vectors : vectors.filter(({ body }) => Buffer.from(body).at(0)! < 0x80))(
      `${path.name}: the signature of $source is genuine, and a mismatch after one bit changes`,
      async (vector) => {
        const webhooks = path.createWebhooks({ secret: vector.secret, signature: vector.signature });
        const codes: string[] = [];
        webhooks.onError(({ code }) => codes.push(code));
        await using server = await host.start(webhooks);
        await send(server, vector.body, vector.headers);
        const altered = vector.body.slice();
        altered[0]! ^= 1;
        expect((await send(server, altered, vector.headers)).status).toBe(401);
        // The published bodies are not deliveries, so the step after the signature refuses them.
        expect(codes[0]).toMatch(/^INVALID_(JSON|ENCODING|EVENT)$/);
        expect(codes[1]).toBe('SIGNATURE_MISMATCH');
      },
    );
  }

  test('a refused delivery gets its status, is reported to onError and reaches no handler', async () => {
    const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 1000 });
    const errors: WebhookError[] = [];
    const handled: unknown[] = [];
    webhooks.onError((error) => errors.push(error));
    webhooks.on('message.created', (event) => handled.push(event));
    await using server = await host.start(webhooks);
    const good = (await signed(text))['x-signature']!;
    const rows: [code: string, status: number, body: string, headers: Record<string, string | string[]>][] = [
      ['MISSING_SIGNATURE', 401, text, {}],
      ['MALFORMED_SIGNATURE', 401, text, { 'x-signature': 'abc' }],
      ['AMBIGUOUS_SIGNATURE', 401, text, { 'x-signature': [good, good] }],
      ['SIGNATURE_MISMATCH', 401, `${text} `, { 'x-signature': good }],
      ['BODY_TOO_LARGE', 413, 'x'.repeat(1001), { 'x-signature': good }],
      ['INVALID_JSON', 400, 'hello', await signed('hello')],
      ['INVALID_EVENT', 400, '{"event":"message.created","data":{}}', {}],
    ];
    Object.assign(rows[6]![3], await signed(rows[6]![2]));
    for (const [code, status, body, headers] of rows) {
      expect(await send(server, body, headers)).toMatchObject({ status, json: { error: code } });
      expect(errors.pop()).toMatchObject({ code, status });
    }
    expect([errors, handled]).toEqual([[], []]);
  });

  test('the signature of an empty body is verified', async () => {
    const webhooks = createWebhooks({ secret, signature });
    await using server = await host.start(webhooks);
    expect(await send(server, '', await signed(''))).toMatchObject({ status: 400 });
    expect(await send(server, '', await signed(' '))).toMatchObject({ status: 401 });
  });

  test('a handler that rejects causes a 500', async () => {
    const webhooks = createWebhooks({ secret, signature });
    webhooks.on('message.created', () => Promise.reject(new Error('down')));
    await using server = await host.start(webhooks);
    const { status, json } = await send(server, text, await signed(text));
    expect([status, json]).toEqual([500, { error: 'HANDLER_FAILED' }]);
  });

  test('a GET gets a 405', async () => {
    await using server = await host.start(createWebhooks({ secret, signature }));
    expect(await send(server, '', {}, 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });
});
