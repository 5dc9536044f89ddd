import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startInProcess } from '../support/command.ts';

const testWithCurl = test.skipIf(spawnSync('curl', ['--version']).error !== undefined);

const linesOf = (banner: string): string[] =>
  banner
    .split('\n')
    .filter((line) => line.startsWith('    curl '))
    .map((line) => line.trim());

/** Runs the printed lines one after the other, and resolves to the statuses of their responses. */
const statusesOf = async (lines: readonly string[]): Promise<number[]> => {
  const script = lines.map((line) => line.replace('curl', "curl -s -o /dev/null -w '%{http_code} '"));
  const { stdout } = await promisify(execFile)('sh', ['-c', script.join('\n')]);
  return (stdout.match(/\d+/g) ?? []).map(Number);
};

testWithCurl('the curl commands in the banner work: list, create, inbound', async () => {
  const { banner, url, key } = await startInProcess();
  expect(linesOf(banner)).toEqual([
    `curl -H 'X-API-Key: ${key}' '${url}/api/v2/public/leads?limit=2'`,
    `curl -H 'X-API-Key: ${key}' -d '{"phone":"+5511987654321"}' '${url}/api/v2/public/leads'`,
    `curl -d '{"phone":"+5511987654321","body":"Hello"}' '${url}/__mock/inbound'`,
  ]);
  expect(await statusesOf(linesOf(banner))).toEqual([200, 201, 200]);
  for (const line of [`  OpenAPI   ${url}/openapi.json\n`, `  Inspector ${url}/__mock/\n`]) {
    expect(banner).toContain(line);
  }
  expect(banner).not.toMatch(/TLS|random/);
});

testWithCurl.each<[what: string, args: string[], statuses: number[]]>([
  ['a key with shell characters is quoted', ['--key', `it's"$HOME"\\\`!`], [200, 201, 200]],
  ['only those that the scopes of the key allow are printed', ['--scopes', 'write:leads'], [201, 200]],
  ['none is printed for a control endpoint that needs a token', ['--admin-token', 'hush'], [200, 201]],
  ['none is printed for a closed control endpoint', ['--host', '0.0.0.0'], [200, 201]],
  ['the heading is left out without a command', ['--scopes', 'read:agents', '--admin-token', 'hush'], []],
])('the curl commands in the banner work, and %s', async (_, args, statuses) => {
  const { banner } = await startInProcess(...args);
  expect(await statusesOf(linesOf(banner))).toEqual(statuses);
  expect(banner.includes('Try')).toBe(statuses.length > 0);
  expect(banner).not.toContain('hush');
  // With a token, the page asks for it; without one, it is closed to other machines.
  expect(banner.includes('Inspector')).toBe(!args.includes('0.0.0.0'));
});

test('beyond loopback, the banner says that TLS is required, and how to open the inspector', async () => {
  const says = ['must come over TLS', 'The inspector and the control endpoints are closed'];
  const seen = async (...args: string[]) => {
    const { banner } = await startInProcess(...args);
    return says.map((words) => banner.includes(words));
  };
  expect(await seen()).toEqual([false, false]);
  expect(await seen('--host', '0.0.0.0')).toEqual([true, true]);
  expect(await seen('--host', '0.0.0.0', '--admin-token', 'mine', '--allow-http')).toEqual([false, false]);
});

test('beyond loopback, each run has a random key and a banner that says so, unless --key sets it', async () => {
  const seeded = (await startInProcess()).key;
  const one = await startInProcess('--host', '0.0.0.0');
  const two = await startInProcess('--host', '0.0.0.0', '--scopes', 'read:leads');
  expect(new Set([seeded, one.key, two.key]).size).toBe(3);
  for (const { banner, key, call } of [one, two]) {
    expect(key).toMatch(/^confab_live_[\w-]{32}$/);
    expect(banner).toContain('The key is random and valid for this run only');
    expect((await call('/api/v2/public/leads')).status).toBe(200);
    expect((await call('/api/v2/public/leads', { headers: { 'x-api-key': seeded } })).status).toBe(401);
  }
  const set = await startInProcess('--host', '0.0.0.0', '--key', 'mine');
  expect([set.key, set.banner.includes('random')]).toEqual(['mine', false]);
});
