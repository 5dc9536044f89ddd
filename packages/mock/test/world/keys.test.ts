import { expect, test } from 'vitest';
import { createMock, MockError } from '../../src/index.ts';
import { open } from '../support/hosts.ts';

const ASCII = '`key.key` must consist of visible ASCII characters, without spaces';

test.each<[init: unknown, message: string]>([
  [{ scope: [] }, 'Unknown key field `scope`. Did you mean `scopes`?'],
  [{ scopes: 'read:leads' }, "`key.scopes` must be an array, such as ['read:leads'], got"],
  [{ scopes: ['read:sandboxes'] }, 'Unknown scope "read:sandboxes". Did you mean "read:sandbox"?'],
  [{ scopes: ['read:leads', 'write:everything'] }, 'Unknown scope "write:everything". Known: read:conv'],
  [{ key: 'my key' }, ASCII],
  [{ key: 'key\n' }, ASCII],
])('keys.create(%j) throws and says why', (init, message) => {
  const { keys } = createMock({ scopes: { 'conversations.list': 'read:sandbox' } });
  expect(() => keys.create(init as object)).toThrow(MockError);
  expect(() => keys.create(init as object)).toThrow(message);
  keys.create({ scopes: ['read:sandbox'] });
});

test('keys.create() creates unique keys, and refuses an existing key without showing it', () => {
  const { keys } = createMock();
  const [a, b] = [keys.create(), keys.create()];
  expect(a.key).toMatch(/^confab_live_\w{32}$/);
  expect(new Set([a.key, b.key, a.id, b.id]).size).toBe(4);
  const taken = 'This key already exists. Leave `key` out to create a new one.';
  expect(() => keys.create({ key: a.key })).toThrow(new MockError('INVALID_ARGUMENT', taken));
});

test('keys.list() returns scopes, limits and usage, oldest first, and the ending of long keys only', async () => {
  const { mock, send } = open({ rateLimit: 7 });
  const first = mock.keys.create({ scopes: ['read:agents'], rateLimit: { requests: 3, perMs: 1_000 } });
  const second = mock.keys.create({ key: 'fifteen-letters' });
  await send('agents.list', { key: first.key });
  await send('agents.list', { key: first.key });
  const listed = mock.keys.list().slice(1);
  expect(listed).toMatchObject([
    { id: first.id, scopes: ['read:agents'], rateLimit: { requests: 3, perMs: 1_000 }, used: 2 },
    { id: second.id, ending: '', rateLimit: { requests: 7, perMs: 60_000 }, used: 0 },
  ]);
  expect(listed[1]?.scopes).toEqual(expect.arrayContaining(['read:leads', 'write:leads']));
  expect(listed[0]?.ending).toBe(first.key.slice(-4));
  expect(JSON.stringify(mock.keys.list())).not.toContain(first.key);
  await mock.clock.advance(1_000);
  expect(mock.keys.list()[1]?.used).toBe(0);
});

test('keys.revoke() accepts the key or its id, and returns whether the key existed', async () => {
  const { mock, send } = open();
  const [a, b] = [mock.keys.create(), mock.keys.create()];
  const statusOf = async (key: string) => (await send('agents.list', { key })).status;
  expect([await statusOf(a.key), await statusOf(b.key)]).toEqual([200, 200]);
  expect([a.key, a.key, 'unknown'].map((key) => mock.keys.revoke(key))).toEqual([true, false, false]);
  expect([await statusOf(a.key), await statusOf(b.key)]).toEqual([401, 200]);
  expect([b.id, b.id].map((key) => mock.keys.revoke(key))).toEqual([true, false]);
  expect(await statusOf(b.key)).toBe(401);
});
