import { runInNewContext } from 'node:vm';
import type { RawBody } from '@confab/webhooks';
import { createWebhooks, sign, WebhookConfigurationError } from '@confab/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { vectors } from './support/vectors.ts';

for (const path of cryptoPaths) {
  for (const { source, secret, body, signature, headers } of vectors) {
    test(`${path.name}: the signature of ${source} verifies`, async () => {
      const webhooks = path.createWebhooks({ secret, signature });
      expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0 });
    });

    test(`${path.name}: signing returns the signature of ${source}`, async () => {
      expect(await path.sign(body, { secret, signature })).toEqual(headers);
    });

    test(`${path.name}: ${source} is refused under another secret`, async () => {
      const webhooks = path.createWebhooks({ secret: 'another', signature });
      await expect(webhooks.verify(body, headers)).rejects.toMatchObject({ code: 'SIGNATURE_MISMATCH' });
    });
  }

  for (const encoding of ['auto', 'hex', 'base64', 'base64url'] as const) {
    test(`${path.name}: a body signed in ${encoding} verifies, with and without a timestamp`, async () => {
      for (const timestamp of [undefined, { header: 'X-Time' }, { header: 'X-Time', separator: ':' }]) {
        const signature = { header: 'X-Signature', encoding, prefix: 'v1=', ...(timestamp && { timestamp }) };
        const headers = await path.sign('body', { secret: 'secret', signature });
        const webhooks = path.createWebhooks({ secret: 'secret', signature });
        expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
      }
    });
  }
}

test('a timestamp is signed before the body and sent in its header', async () => {
  const secret = 'secret';
  const headers = await sign('body', {
    secret,
    signature: { header: 'x-sig', timestamp: { header: 'X-Time', separator: ':' } },
    timestamp: 1700000000,
  });
  const whole = await sign('1700000000:body', { secret, signature: { header: 'x-sig' } });
  expect(headers).toEqual({ 'x-sig': whole['x-sig'], 'x-time': '1700000000' });
});

test('a body verifies as a string, bytes, a view into a larger buffer, an ArrayBuffer and shared memory', async () => {
  const text = '{"event":"é€😀"}';
  const bytes = new TextEncoder().encode(text);
  const larger = new Uint8Array(bytes.length + 8);
  larger.set(bytes, 4);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const bodies: RawBody[] = [
    text,
    bytes,
    Buffer.from(text),
    larger.subarray(4, -4),
    bytes.buffer,
    shared,
    Buffer.from(shared.buffer),
  ];
  const signature = { header: 'x-sig' };
  const headers = await sign(text, { secret: 'secret', signature });
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret: 'secret', signature });
    for (const body of bodies) {
      expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0 });
    }
  }
});

test('an object is not signed, because its text could be spelled in many ways', async () => {
  const body = { event: 'x' } as unknown as string;
  await expect(sign(body, { secret: 's', signature: { header: 'x-sig' } })).rejects.toThrow(
    WebhookConfigurationError,
  );
});

test('a lone surrogate is not signed, because UTF-8 cannot express it', async () => {
  await expect(sign('\ud800', { secret: 's', signature: { header: 'x-sig' } })).rejects.toThrow(
    /well-formed/,
  );
});

test('a timestamp of 0 is signed', async () => {
  const signature = { header: 'x-sig', timestamp: { header: 'x-time' } };
  expect(await sign('', { secret: 's', signature, timestamp: 0 })).toMatchObject({ 'x-time': '0' });
});

test.each([
  [undefined, /^[0-9a-f]{64}$/],
  ['auto', /^[0-9a-f]{64}$/],
  ['base64', /^.{43}=$/],
  ['base64url', /^[\w-]{43}$/],
] as const)('with the encoding %s, a signature matches %s', async (encoding, form) => {
  const headers = await sign('body', { secret: 's', signature: { header: 'x-sig', encoding } });
  expect(headers['x-sig']).toMatch(form);
});

test.each([-1, 1.5, Number.NaN])('a timestamp of %s is not signed', async (timestamp) => {
  const signature = { header: 'x-sig', timestamp: { header: 'x-time' } };
  await expect(sign('', { secret: 's', signature, timestamp })).rejects.toThrow(/whole seconds/);
});

test('each of several secrets verifies, and its index is returned', async () => {
  const signature = { header: 'x-sig' };
  const webhooks = createWebhooks({ secret: ['new', 'old', new Uint8Array([1, 2])], signature });
  const indexOf = async (secret: string | Uint8Array) =>
    (await webhooks.verify('body', await sign('body', { secret, signature }))).secretIndex;
  expect(await indexOf('new')).toBe(0);
  expect(await indexOf('old')).toBe(1);
  expect(await indexOf(new Uint8Array([1, 2]))).toBe(2);
});

test('the index is that of the first matching secret in the list, in which gaps count', async () => {
  const signature = { header: 'x-sig' };
  const indexOf = async (secret: readonly (string | undefined)[]) =>
    (
      await createWebhooks({ secret, signature }).verify(
        'body',
        await sign('body', { secret: 'one', signature }),
      )
    ).secretIndex;
  expect(await indexOf(['one', 'one'])).toBe(0);
  expect(await indexOf(['two', 'one', 'one', 'two'])).toBe(1);
  expect(await indexOf(['one', undefined])).toBe(0);
  expect(await indexOf([undefined, 'one'])).toBe(1);
});

test('bytes from another realm are accepted as a body and as a secret, as in test runners', async () => {
  const body = runInNewContext('new Uint8Array([0, 104, 105, 0]).subarray(1, 3)') as Uint8Array;
  const secret = runInNewContext('new Uint8Array([0, 107, 0]).subarray(1, 2)') as Uint8Array;
  expect(body).not.toBeInstanceOf(Uint8Array);
  const signature = { header: 'x-sig' };
  const headers = await sign('hi', { secret: 'k', signature });
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret, signature });
    expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0 });
  }
});

test('WebCrypto imports a secret once, on first use', async () => {
  const [, webCrypto] = cryptoPaths;
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  const signature = { header: 'x-sig' };
  const headers = await sign('body', { secret: 'secret', signature });
  const webhooks = webCrypto?.createWebhooks({ secret: 'secret', signature });
  expect(importKey).toHaveBeenCalledTimes(0);
  for (let time = 0; time < 3; time += 1) {
    await webhooks?.verify('body', headers);
  }
  expect(importKey).toHaveBeenCalledTimes(1);
  const key = (await importKey.mock.results[0]?.value) as CryptoKey;
  expect(key.extractable).toBe(false);
  importKey.mockRestore();
});

test.each<[title: string, process: object | undefined]>([
  ['process', undefined],
  ['process.getBuiltinModule()', {}],
  ['node:crypto', { getBuiltinModule: () => undefined }],
])('without %s, as on Workers, WebCrypto is used', async (_, process) => {
  const signed = vi.spyOn(crypto.subtle, 'sign');
  onTestFinished(() => signed.mockRestore());
  const options = { secret: 'secret', signature: { header: 'x-sig' } };
  await sign('body', options);
  expect(signed).not.toHaveBeenCalled();
  vi.stubGlobal('process', process);
  const signing = sign('body', options);
  vi.unstubAllGlobals();
  await signing;
  expect(signed).toHaveBeenCalledTimes(1);
});
