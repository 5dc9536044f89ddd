import { redisDedupeStore } from '@confab/webhooks/redis';
import { lauxlib, lua, lualib, to_luastring } from 'fengari';
import { expect, test } from 'vitest';

/** A client that runs the scripts in this process, on keys that never expire. redis.slow.test.ts has a real Redis. */
const createClient = () => {
  const values = new Map<string, string>();
  const commands: Record<string, (key: string, value: string) => string | undefined> = {
    GET: (key) => values.get(key),
    SET: (key, value) => void values.set(key, value),
    DEL: (key) => void values.delete(key),
  };
  const run = (script: string, lists: Readonly<Record<string, readonly string[]>>): string => {
    const state = lauxlib.luaL_newstate();
    lualib.luaL_openlibs(state);
    for (const [name, list] of Object.entries(lists)) {
      lua.lua_createtable(state, 0, 0);
      for (const [index, text] of list.entries()) {
        lua.lua_pushstring(state, to_luastring(text));
        lua.lua_rawseti(state, -2, index + 1);
      }
      lua.lua_setglobal(state, to_luastring(name));
    }
    lua.lua_createtable(state, 0, 1);
    lua.lua_pushjsfunction(state, () => {
      const [command = '', key = '', value = ''] = [1, 2, 3].map((index) => lua.lua_tojsstring(state, index));
      const reply = commands[command]?.(key, value);
      if (reply === undefined) {
        lua.lua_pushboolean(state, false);
      } else {
        lua.lua_pushstring(state, to_luastring(reply));
      }
      return 1;
    });
    lua.lua_setfield(state, -2, to_luastring('call'));
    lua.lua_setglobal(state, to_luastring('redis'));
    expect(lauxlib.luaL_dostring(state, to_luastring(script))).toBe(0);
    return lua.lua_tojsstring(state, -1);
  };
  return {
    eval: async (script: string, options: { keys: string[]; arguments: string[] }) =>
      run(script, { KEYS: options.keys, ARGV: options.arguments }),
    sendCommand: async () => undefined,
  };
};

const claim = (token: string) => ({ token, leaseMs: 60_000, ttlMs: 60_000 });

test('a claim that the client sends again finds its own token and succeeds, until the key is completed', async () => {
  const store = redisDedupeStore({ client: createClient() });
  expect(await store.claim('a', claim('mine'))).toBe('claimed');
  expect(await store.claim('a', claim('mine'))).toBe('claimed');
  expect(await store.claim('a', claim('other'))).toBe('running');
  await store.complete('a', claim('mine'));
  expect(await store.claim('a', claim('mine'))).toBe('completed');
});

test('a run releases only a key that it still holds', async () => {
  const store = redisDedupeStore({ client: createClient() });
  await store.claim('a', claim('mine'));
  await store.release('a', claim('other'));
  expect(await store.claim('a', claim('next'))).toBe('running');
  await store.release('a', claim('mine'));
  expect(await store.claim('a', claim('next'))).toBe('claimed');
  await store.complete('a', claim('next'));
  await store.release('a', claim('next'));
  expect(await store.claim('a', claim('again'))).toBe('completed');
});
