import { eventually } from '@confab/internal/test-support';
import type { Delivery, SecretLookup } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks, WebhookError } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import type { Mock } from 'vitest';
import { expect, test, vi } from 'vitest';
import { createReceiver, message, requestWith, secret, signature, standard } from './support/receiver.ts';
import { replaceTimeouts } from './support/timeouts.ts';

const secrets = new Map([
  ['one', 'the secret of one'],
  ['two', 'the secret of two'],
]);
const byHeader: SecretLookup = async ({ headers }) => secrets.get(headers.get('x-tenant') ?? '');
const from = (tenant: string, signedFor = tenant) => ({
  headers: { 'x-tenant': tenant },
  secret: secrets.get(signedFor) ?? 'guess',
});

test('each tenant is verified with its own secret, and an unknown tenant gets the same response as a forgery', async () => {
  const { webhooks, handled, errors } = createReceiver({ secret: byHeader });
  const respond = async (...tenant: Parameters<typeof from>) => {
    const response = await webhooks.fetch(await requestWith(message, from(...tenant)));
    return [response.status, await response.text()];
  };
  const accepted = [200, '{"ok":true}'];
  expect([await respond('one'), await respond('two')]).toEqual([accepted, accepted]);
  const forged = [401, '{"error":"SIGNATURE_MISMATCH"}'];
  expect([await respond('unknown'), await respond('one', 'two')]).toEqual([forged, forged]);
  expect(handled).toHaveLength(2);
  expect(errors.map((error) => error.message)).toEqual([
    '`secret` returned no secret for this delivery.',
    expect.stringContaining('The signature does not match'),
  ]);
});

const encodedSecrets = new Map([
  ['/one', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['/two', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
]);
const byPath = {
  signature: standardWebhooks(),
  secret: ({ url }: { url: string }) => encodedSecrets.get(new URL(url, 'http://localhost').pathname),
};

/** A delivery of a tenant, under an id that the tenant chooses. */
const signedBy = async (url: string, id: string) => {
  const body = JSON.stringify(message);
  const headers = await sign(body, {
    secret: encodedSecrets.get(url) ?? '',
    signature: byPath.signature,
    id,
  });
  return { method: 'POST', url, headers, body };
};

test.each([
  ['the signed id', {}],
  ['a key of the user', { key: ({ id = '' }) => id }],
])('with %s, no tenant can make a delivery of a different tenant count as a duplicate', async (_, dedupe) => {
  const webhooks = createWebhooks({ ...byPath, dedupe });
  const seen: (string | undefined)[] = [];
  webhooks.onAny((_, { url }) => seen.push(url));
  for (const url of ['/two', '/one', '/two', '/one']) {
    expect(await webhooks.receive(await signedBy(url, 'msg_1'))).toMatchObject({ status: 200 });
  }
  expect(seen).toEqual(['/two', '/one']);
});

test('a queued delivery has the URL of its tenant, and an id that no other tenant can choose', async () => {
  const jobs: Delivery[] = [];
  const webhooks = createWebhooks({
    ...byPath,
    enqueue: async (job) => jobs.push(JSON.parse(JSON.stringify(job))),
  });
  const worker = createWebhooks({ ...byPath, dedupe: {} });
  const seen: (string | undefined)[] = [];
  worker.onAny((_, { url }) => seen.push(url));
  for (const url of ['/one', '/two', '/one']) {
    await webhooks.receive(await signedBy(url, 'msg_1'));
  }
  const [first, ofOther, redelivered] = jobs.map(({ id }) => id);
  expect([first, ofOther]).toEqual([redelivered, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(first).not.toBe(ofOther);
  for (const job of jobs) {
    await worker.process(job);
  }
  expect(seen).toEqual(['/one', '/two']);
});

test('the id of a queued delivery of a tenant does not contain the signature', async () => {
  const jobs: Delivery[] = [];
  const { deliver } = createReceiver({
    secret: byHeader,
    dedupe: { key: ({ event }) => event },
    enqueue: async (job) => jobs.push(job),
  });
  await deliver(message, from('one'));
  const { 'x-sig': signed = '' } = await sign(JSON.stringify(message), {
    secret: secrets.get('one') ?? '',
    signature,
  });
  expect(jobs[0]?.id).toMatch(/-[0-9a-f]{64}$/);
  expect(jobs[0]?.id).not.toContain(signed);
});

test('a `secret` function may return several secrets, and handlers receive the index of the match', async () => {
  const { webhooks, deliver } = createReceiver({ secret: () => ['new', undefined, secret] });
  const seen = vi.fn();
  webhooks.onAny((_, { secretIndex }) => seen(secretIndex));
  expect([await deliver(), seen.mock.calls]).toEqual([200, [[2]]]);
});

test('a `secret` function is not called for an oversized body or a malformed signature', async () => {
  const lookup = vi.fn(() => secret);
  const { webhooks, deliver } = createReceiver({ secret: lookup, maxBodyBytes: 200 });
  expect(lookup).not.toHaveBeenCalled();
  expect(await deliver('x'.repeat(201))).toBe(413);
  const { status } = await webhooks.receive({ method: 'POST', headers: { 'x-sig': 'short' }, body: '{}' });
  expect([status, lookup.mock.calls]).toEqual([401, []]);
});

const down = new Error('connection to 10.0.0.1 refused');

test.each<[title: string, lookup: SecretLookup, cause: unknown]>([
  ['throws', () => Promise.reject(down), down],
  ['returns an empty text', () => '', { message: '`secret` is empty. Is its environment variable set?' }],
  ['returns null', () => null as never, { message: '`secret` is null. Is its environment variable set?' }],
])('a `secret` function that %s causes a 500, which does not show the message', async (_, lookup, cause) => {
  const { webhooks, errors, handled } = createReceiver({ secret: lookup });
  const response = await webhooks.fetch(await requestWith(message, { secret: 'guess' }));
  expect([response.status, await response.text(), handled]).toEqual([500, '{"error":"RECEIVER_FAILED"}', []]);
  expect(errors).toMatchObject([
    { message: expect.stringMatching(/^secret\(\) failed; see the cause\./), cause },
  ]);
});

test('a `secret` function that takes longer than five seconds causes a 500', async () => {
  replaceTimeouts();
  const lookup = vi.fn(() => new Promise<never>(() => {}));
  const { deliver, errors } = createReceiver({ secret: lookup });
  const response = deliver();
  await eventually(() => expect(lookup).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await response).toBe(500);
  expect(errors).toMatchObject([
    { message: expect.stringMatching(/^secret\(\) took longer than 5000 ms\./) },
  ]);
});

const urlsOf = (lookup: Mock<SecretLookup>) => lookup.mock.calls.map(([{ url }]) => url);

test('a `secret` function works with schemes, and gets an empty URL in verify() and unwrap()', async () => {
  const lookup = vi.fn<SecretLookup>(() => standard.secret);
  const webhooks = createWebhooks({ ...standard, secret: lookup });
  const body = JSON.stringify(message);
  const headers = await sign(body, { ...standard, id: 'msg_1' });
  expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0, id: 'msg_1' });
  expect(await webhooks.unwrap(body, headers)).toMatchObject(message);
  await expect(webhooks.verify(`${body} `, headers)).rejects.toThrow(WebhookError);
  expect(urlsOf(lookup)).toEqual(['', '', '']);
});

test('on Lambda, a `secret` function gets the path and the query of every kind of event', async () => {
  const lookup = vi.fn<SecretLookup>(() => secret);
  const handle = toLambdaHandler(createReceiver({ secret: lookup }).webhooks);
  const event = { httpMethod: 'POST', headers: { 'x-sig': '0'.repeat(64) }, body: '{}' };
  await handle({ ...event, rawPath: '/one', rawQueryString: 'a=1' });
  await handle({ ...event, rawPath: '/one', rawQueryString: '' });
  await handle({ ...event, path: '/two' });
  await handle({ ...event, raw_path: '/three?a=1' });
  expect(urlsOf(lookup)).toEqual(['/one?a=1', '/one', '/two', '/three?a=1']);
});
