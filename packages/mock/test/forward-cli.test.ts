import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { parseFlags } from '../src/cli/parse-flags.ts';
import { startCommand } from '../src/cli/start-command.ts';
import { folder, serving } from './support/command.ts';
import { KEY } from './support/forwarding.ts';
import { idOf, json, leadOf, realService } from './support/real-service.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/guides/testing.md');

const starting = async (...args: string[]) => {
  const [printed, warned]: [string[], string[]] = [[], []];
  const print = (text: string) => printed.push(text);
  const stop = await startCommand(parseFlags(args), print, (text) => warned.push(text));
  onTestFinished(stop);
  const url =
    /http:\/\/127\.0\.0\.1:\d+/.exec(printed[0]?.replace(/.*passes requests.*/, '') ?? '')?.[0] ?? '';
  const call = (path: string, key = KEY) =>
    fetch(`${url}/api/v2/public/${path}`, { headers: { 'x-api-key': key } });
  return { printed, warned, stop, call };
};

const refusal = (...args: string[]): unknown => {
  try {
    parseFlags(args);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test('the commands of the guide record a service, and start a mock with the recording', async () => {
  const section = readFileSync(GUIDE, 'utf8').split('## Record a real service')[1]?.split('\n## ')[0] ?? '';
  const [record = '', replay = ''] = section.match(/(?<=^npx @confab\/mock ).*$/gm) ?? [];
  const service = await realService();
  service.once(`GET leads/${idOf(2)}`, (_, outgoing) =>
    json(outgoing, 503, { success: false, error: 'Down', code: 'DOWN' }),
  );
  const file = join(folder(), 'recording.json');
  const words = (command: string) =>
    command.replace('https://api.example.com', service.url).replace('recording.json', file).split(' ');
  const { call, stop, warned, printed } = await starting('--port', '0', ...words(record));
  await call('leads?search=Quit');
  await call(`leads/${idOf(2)}`);
  // It is written as it goes, and complete at any moment.
  await eventually(() => expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ faults: [{}] }));
  await stop();
  expect(readdirSync(join(file, '..'))).toEqual(['recording.json']);
  const [, lead, down] = printed;
  expect(lead).toMatch(/ 200 GET \/api\/v2\/public\/leads \d+ ms\n$/);
  expect(down).toMatch(/ 503 GET /);
  expect(warned).toEqual([
    'leads.get response: status must be 200, or 400, 401, 403, 404, 409, 429 for an error, got 503',
    '2 requests passed on, 1 kind of drift:',
    '  1 × leads.get response: status must be 200, or 400, 401, 403, 404, 409, 429 for an error, got 503',
    `${file} holds 2 leads, 0 conversations, 0 messages, 0 agents, 1 fault. Start a mock with it: confab-mock --data ${file}`,
  ]);
  expect(readFileSync(file, 'utf8')).not.toContain('Quit');

  const mock = await serving(...words(replay));
  expect((await mock.call('/api/v2/public/leads')).body.meta.total).toBe(2);
  const statuses = [
    await mock.call(`/api/v2/public/leads/${idOf(2)}`),
    await mock.call(`/api/v2/public/leads/${idOf(2)}`),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([503, 200]);
  // A reset brings the recorded faults back.
  await mock.call('/__mock/reset', { method: 'POST' });
  expect((await mock.call(`/api/v2/public/leads/${idOf(2)}`)).status).toBe(503);
});

test('no key that stands in a path is printed, whether a header or a flag has it', async () => {
  const service = await realService();
  const own = 'confab_live_the-key-of-the-flag';
  const { call, printed, stop } = await starting(
    '--port',
    '0',
    '--forward',
    service.url,
    '--forward-key',
    own,
  );
  await call(`leads/${KEY}`);
  await call(`leads/${encodeURIComponent(own)}`);
  await stop();
  expect(printed.slice(1)).toEqual([
    expect.stringContaining('GET /api/v2/public/leads/[redacted] '),
    expect.stringContaining('GET /api/v2/public/leads/[redacted] '),
  ]);
});

test('the summary counts the rows that were left out, because they differ from the contract', async () => {
  const service = await realService();
  const drifted = [leadOf(1, { phone: 7 }), leadOf(2, { createdAt: '0000-01-01T00:00:00+23:00' }), leadOf(3)];
  for (let nth = 0; nth < 2; nth += 1) {
    service.once('GET leads', (_, outgoing) =>
      json(outgoing, 200, { success: true, data: drifted, meta: { total: 3, limit: 25, offset: 0 } }),
    );
  }
  const file = join(folder(), 'recording.json');
  const { call, stop, warned } = await starting('--port', '0', '--forward', service.url, '--record', file);
  await call('leads');
  await call('leads');
  await stop();
  expect(warned.slice(-2)).toEqual([
    expect.stringContaining(`${file} holds 1 lead, 0 conversations`),
    'Not recorded, because a mock could not load them: 2 leads. The drift above says why.',
  ]);
});

test('what a killed proxy left next to its file is removed, even if the file itself is kept', async () => {
  const file = join(folder(), 'rows.json');
  for (const name of [file, `${file}.partial`, `${file}.lock`]) {
    writeFileSync(name, 'left behind');
  }
  utimesSync(`${file}.lock`, 0, 0);
  const { url } = await realService();
  await expect(starting('--port', '0', '--forward', url, '--record', file)).rejects.toThrow('exists already');
  expect(readdirSync(join(file, '..'))).toEqual(['rows.json']);
});

test('an existing file is replaced only with --force, and one with personal data is for its owner alone', async () => {
  const { url } = await realService();
  const file = join(folder(), 'rows.json');
  writeFileSync(file, 'mine');
  const args = ['--port', '0', '--forward', url, '--record', file];
  await expect(starting(...args)).rejects.toThrow(`${file} exists already`);
  expect([readFileSync(file, 'utf8'), existsSync(`${file}.lock`)]).toEqual(['mine', false]);
  const forced = await starting(...args, '--force');
  await forced.stop();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ leads: [] });
  const secret = join(folder(), 'secret.json');
  const kept = await starting('--port', '0', '--forward', url, '--record', secret, '--keep-personal-data');
  await kept.call('leads');
  await kept.stop();
  expect(readFileSync(secret, 'utf8')).toContain('Quitéria');
  expect(readFileSync(secret, 'utf8')).not.toContain(KEY);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
});

test.each([
  [['--record', 'x.json'], '--record needs --forward'],
  [['--forward-key', KEY], '--forward-key needs --forward'],
  [['--forward', 'https://a.example', '--data', 'demo'], '--data shapes a mock'],
  [['--forward', 'https://a.example', '--fault', '*:503'], '--fault shapes a mock'],
  [['--forward', 'https://a.example', '--force'], '--force needs --record'],
  [['--forward', 'http://a.example'], '--forward must be an https URL'],
  [['--forward', 'https://u:p@a.example'], '--forward must not contain a user name'],
  [['--forward', 'https://a.example?x'], 'without a query'],
  [['--forward', KEY], '--forward must be the base URL'],
  [['--forward', 'https://a.example', '--host', '0.0.0.0'], '--host 0.0.0.0 needs --tls'],
  [
    ['--forward', 'https://a.example', '--host', '0.0.0.0', '--tls', '--forward-key', 'k'],
    '--forward-key needs a loopback',
  ],
])('%j is refused', (args, message) => {
  expect(refusal(...args)).toContain(message);
  expect(refusal(...args)).not.toContain(KEY);
});

test('a data file may hold faults, and a wrong one is refused', async () => {
  const file = join(folder(), 'rows.json');
  writeFileSync(file, '{"faults":[{"operation":"agents.list","fault":{"status":418},"once":false}]}');
  const { call } = await serving('--data', file);
  expect((await call('/api/v2/public/agents')).status).toBe(418);
  for (const [text, message] of [
    ['{"faults":[{"operation":"agents.list"}]}', 'faults[0].fault is required'],
    ['{"faults":[{"operation":"agents.lst","fault":{"status":500}}]}', 'Did you mean "agents.list"?'],
  ] as const) {
    writeFileSync(file, text);
    await expect(serving('--data', file)).rejects.toThrow(message);
  }
});
