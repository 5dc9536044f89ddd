import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhooks } from '@confab/webhooks';
import { afterAll, expect, test } from 'vitest';
import { parseFlags } from '../src/cli/parse-flags.ts';
import { start } from '../src/cli/start.ts';
import { UsageError } from '../src/cli/usage-error.ts';
import { toNodeListener } from './to-node-listener.ts';

const directory = mkdtempSync(join(tmpdir(), 'confab-mock-'));
afterAll(() => rmSync(directory, { recursive: true }));

const COMMAND = join(import.meta.dirname, '../src/cli/confab-mock.ts');

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
}

const run = (...args: string[]): Run => {
  const child = spawn(process.execPath, ['--conditions=@confab/source', COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, output, errors }))),
  };
};

/** A running command, with the URL and the key that it printed. */
const running = async (...args: string[]) => {
  const started = run('--port', '0', '--quiet', ...args);
  const exited = started.ended.then(({ errors }) => {
    throw new Error(`It ended before it listened: ${errors}`);
  });
  exited.catch(() => {});
  await Promise.race([expect.poll(started.output, { timeout: 10_000 }).toMatch(/^http.*\n.+\n/), exited]);
  const [url = '', key = ''] = started.output().split('\n');
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, headers: { 'x-api-key': key } });
    // Bodies of every shape: tests look at what they expect.
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const stop = () => {
    started.child.kill('SIGINT');
    return started.ended;
  };
  return { url, key, call, stop };
};

interface Answer {
  readonly data: readonly { readonly id: string }[];
  readonly meta: { readonly total: number };
}

test('the banner has the base URL, the key and curl lines that work; each request has a line; SIGINT ends it with 0', async () => {
  const { child, output, ended } = run('--port', '0');
  await expect.poll(output, { timeout: 10_000 }).toContain('Ctrl+C');
  const url = /Base URL +(\S+)/.exec(output())?.[1] ?? '';
  const key = /API key +(\S+)/.exec(output())?.[1] ?? '';
  expect(output()).toContain(`curl -H 'X-API-Key: ${key}' '${url}/api/v2/public/leads?limit=2'`);
  const response = await fetch(`${url}/api/v2/public/leads?limit=2`, { headers: { 'X-API-Key': key } });
  expect(response.status).toBe(200);
  await expect.poll(output).toContain('200 GET /api/v2/public/leads?limit=2');
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test('--key, --scopes, --rate-limit, --data and --fault shape the service', async () => {
  const { key, call, stop } = await running(
    ...['--key', 'my_key', '--scopes', 'read:leads,read:agents', '--rate-limit', '3/5000ms'],
    ...['--data', 'minimal', '--fault', 'agents.list:418'],
  );
  expect(key).toBe('my_key');
  expect((await call('/api/v2/public/leads')).body.meta.total).toBe(0);
  expect((await call('/api/v2/public/conversations')).status).toBe(403);
  expect((await call('/api/v2/public/agents')).status).toBe(418);
  expect((await call('/api/v2/public/leads')).status).toBe(200);
  const limited = await call('/api/v2/public/leads');
  expect([limited.status, limited.headers.get('x-ratelimit-limit')]).toEqual([429, '3']);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(5);
  await stop();
});

test('the same --seed gives the same key and rows', async () => {
  const look = async (seed: string) => {
    const { key, call, stop } = await running('--seed', seed);
    const { body } = await call('/api/v2/public/leads?limit=5');
    await stop();
    return { key, ids: body.data.map(({ id }) => id) };
  };
  const [one, same, other] = await Promise.all([look('1'), look('1'), look('2')]);
  expect(one).toEqual(same);
  expect(other.key).not.toBe(one.key);
});

test('--state keeps the rows from one run to the next', async () => {
  const state = join(directory, 'state.json');
  const first = await running('--state', state, '--data', 'minimal');
  const created = await first.call('/api/v2/public/leads', {
    method: 'POST',
    body: '{"phone":"+5511987654321"}',
  });
  expect(created.status).toBe(201);
  expect((await first.stop()).code).toBe(0);
  expect(JSON.parse(readFileSync(state, 'utf8')).leads).toHaveLength(1);

  const second = await running('--state', state, '--data', 'minimal');
  const again = (phone: string) =>
    second.call('/api/v2/public/leads', { method: 'POST', body: JSON.stringify({ phone }) });
  expect((await again('+5511987654321')).status).toBe(409);
  expect((await again('+5511987654322')).status).toBe(201);
  await second.stop();
  expect(JSON.parse(readFileSync(state, 'utf8')).leads).toHaveLength(2);
});

test('--webhook delivers signed events, and /__mock drives the clock of --clock virtual', async () => {
  const secret = 'whsec_0123456789';
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
  const bodies: string[] = [];
  webhooks.on('message.created', ({ data }) => {
    bodies.push(data.body);
  });
  const receiver = createServer(toNodeListener(webhooks.fetch));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;

  const { call, stop } = await running(
    ...['--webhook', `http://127.0.0.1:${port}/`, '--webhook-secret', secret, '--clock', 'virtual'],
  );
  await call('/__mock/inbound', { method: 'POST', body: '{"phone":"+5511987654321","body":"Hello"}' });
  await expect.poll(() => bodies).toEqual(['Hello']);
  const moved = await call('/__mock/clock', { method: 'POST', body: '{"set":"2030-01-01T00:00:00Z"}' });
  expect(moved.body.data).toEqual({ now: '2030-01-01T00:00:00.000Z' });
  await stop();
  receiver.closeAllConnections();
  receiver.close();
});

test('a taken port gets one clear line and exit code 2', async () => {
  const { url, stop } = await running();
  const { port } = new URL(url);
  const { code, errors, output } = await run('--port', port).ended;
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(new RegExp(`^confab-mock: [^\\n]*${port}[^\\n]*\\n$`));
  await stop();
});

test('a bad flag or a bad data file gets one clear line and exit code 2', async () => {
  for (const [args, says] of [
    [['--colour'], '--colour'],
    [['--data', join(directory, 'none.json')], 'none.json'],
  ] as const) {
    const { code, errors, output } = await run('--port', '0', ...args).ended;
    expect([code, output]).toEqual([2, '']);
    expect(errors).toMatch(/^confab-mock: [^\n]+\n$/);
    expect(errors).toContain(says);
  }
});

test('every kind of wrong use is named in one line', async () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  for (const [args, says] of [
    [['--port', '70000'], '70000'],
    [['--fault', 'leads.list:sometimes'], 'leads.list:sometimes'],
    [['--fault', 'leads.remove:503'], 'leads.remove'],
    [['--webhook', 'http://127.0.0.1:1/'], '--webhook-secret'],
    [['--scopes', 'everything'], 'everything'],
    [['--data', file('broken.json', '{"leads":')], 'broken.json'],
    [['--data', file('list.json', '[]')], 'list.json'],
    [
      ['--data', file('twice.json', '{"leads":[{"phone":"+5511987654321"},{"phone":"+5511987654321"}]}')],
      '+5511987654321',
    ],
    [['--data', file('phone.json', '{"leads":[{"phone":"none"}]}')], 'E.164'],
  ] as const) {
    const starting = (async () => start(parseFlags(['--port', '0', ...args]), () => {}))();
    const error = await starting.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect([args, error]).toEqual([args, expect.any(UsageError)]);
    expect(String(error)).toContain(says);
    expect(String(error)).not.toContain('\n');
  }
});

test('--help lists every flag', async () => {
  const { code, output } = await run('--help').ended;
  expect(code).toBe(0);
  for (const flag of Object.keys(parseFlags([])))
    if (flag !== 'faults' && flag !== 'webhooks')
      expect(output).toContain(`--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
});

test('flags are read into options', () => {
  expect(
    parseFlags([
      '--latency',
      '20-80',
      '--rate-limit',
      '5',
      '--fault',
      '*:hang:0.5',
      '--fault',
      'leads.list:250ms',
    ]),
  ).toMatchObject({
    latency: { min: 20, max: 80 },
    rateLimit: 5,
    faults: [
      { target: '*', fault: { network: 'hang', probability: 0.5 } },
      { target: 'leads.list', fault: { delayMs: 250 } },
    ],
  });
});
