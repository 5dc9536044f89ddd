import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serving } from '../support/command.ts';

const linesOf = (banner: string): string[] =>
  banner
    .split('\n')
    .filter((line) => line.startsWith('    curl '))
    .map((line) => line.trim());

/** The status that a printed line gets, run as it is printed. */
const statusOf = async (line: string): Promise<number> => {
  const command = line.replace('curl', "curl -s -o /dev/null -w '%{http_code}'");
  return Number((await promisify(execFile)('sh', ['-c', command])).stdout);
};

const statusesOf = async (banner: string) => {
  const statuses = [];
  for (const line of linesOf(banner)) {
    statuses.push(await statusOf(line));
  }
  return statuses;
};

test('the printed curl commands work: list, create, inbound', async () => {
  const { banner, url, key } = await serving();
  expect(linesOf(banner)).toEqual([
    `curl -H 'X-API-Key: ${key}' '${url}/api/v2/public/leads?limit=2'`,
    `curl -H 'X-API-Key: ${key}' -d '{"phone":"+5511987654321"}' '${url}/api/v2/public/leads'`,
    `curl -d '{"phone":"+5511987654321","body":"Hello"}' '${url}/__mock/inbound'`,
  ]);
  expect(await statusesOf(banner)).toEqual([200, 201, 200]);
  expect(banner).not.toContain('TLS');
});

test('a key with shell characters is quoted', async () => {
  const key = `it's"$HOME"\\\`!`;
  const served = await serving('--key', key);
  expect(served.key).toBe(key);
  expect(await statusesOf(served.banner)).toEqual([200, 201, 200]);
});

test('only commands that the key’s scopes allow are printed', async () => {
  const { banner } = await serving('--scopes', 'write:leads');
  expect(await statusesOf(banner)).toEqual([201, 200]);
  const none = await serving('--scopes', 'read:agents', '--admin-token', 'hush');
  expect(linesOf(none.banner)).toEqual([]);
  expect(none.banner).not.toContain('Try');
});

test('no command is printed for a control endpoint that needs a token or is closed', async () => {
  const guarded = await serving('--admin-token', 'hush');
  expect(await statusesOf(guarded.banner)).toEqual([200, 201]);
  expect(guarded.banner).not.toContain('hush');
  const exposed = await serving('--host', '0.0.0.0');
  expect(await statusesOf(exposed.banner)).toEqual([200, 201]);
});

test('beyond loopback the banner says that TLS is required, and its commands assume a proxy', async () => {
  const { banner } = await serving('--host', '0.0.0.0');
  expect(banner).toMatch(/^ {2}Requests to any host other than localhost must come over TLS.*\.$/m);
  const lines = linesOf(banner);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain(" -H 'x-forwarded-proto: https' ");
    // As another machine would call it.
    expect(await statusOf(`${line} -H 'Host: mock.example'`)).toBeLessThan(300);
  }
});

test('the banner says where the description and the inspector are', async () => {
  const { banner, url } = await serving();
  expect(banner).toContain(`  OpenAPI   ${url}/openapi.json\n`);
  expect(banner).toContain(`  Inspector ${url}/__mock/\n`);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  expect((await fetch(`${url}/__mock/`)).status).toBe(200);
  // With a token, the page asks for it; without one, it is closed to other machines.
  expect((await serving('--admin-token', 'hush')).banner).toContain('  Inspector http');
  expect((await serving('--host', '0.0.0.0')).banner).not.toContain('Inspector');
});

test('beyond loopback the key is random in each run, which the banner says, unless --key sets it', async () => {
  const seeded = (await serving()).key;
  const [one, two] = [
    await serving('--host', '0.0.0.0'),
    await serving('--host', '0.0.0.0', '--scopes', 'read:leads'),
  ];
  expect(new Set([seeded, one.key, two.key]).size).toBe(3);
  for (const { banner, key, call } of [one, two]) {
    expect(key).toMatch(/^confab_live_[\w-]{32}$/);
    expect(banner).toContain('The key is random and valid for this run only');
    expect((await call('/api/v2/public/leads')).status).toBe(200);
    expect((await call('/api/v2/public/leads', { headers: { 'x-api-key': seeded } })).status).toBe(401);
  }
  expect((await two.call('/api/v2/public/agents')).status).toBe(403);
  const set = await serving('--host', '0.0.0.0', '--key', 'mine');
  expect(set.key).toBe('mine');
  for (const banner of [set.banner, (await serving()).banner]) {
    expect(banner).not.toContain('random');
  }
});
