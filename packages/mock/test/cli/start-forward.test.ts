import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { folder, startInProcess } from '../support/command.ts';
import { KEY } from '../support/forwarding.ts';
import { idOf, json, leadOf, pageOf, startRealService } from '../support/real-service.ts';

const GUIDE = join(import.meta.dirname, '../../../../docs/guides/recordings.md');

const starting = async (...args: string[]) => {
  const { url, lines, warned, stop } = await startInProcess(...args);
  const call = (path: string, key = KEY) =>
    fetch(`${url}/api/v2/public/${path}`, { headers: { 'x-api-key': key } });
  return { lines, warned, stop, call };
};

test('the commands in the guide record a service, and start a mock from the recording', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const [record = '', replay = ''] = guide.match(/(?<=^npx @confab\/mock ).*$/gm) ?? [];
  const service = await startRealService();
  service.once(`GET leads/${idOf(2)}`, (_, outgoing) =>
    json(outgoing, 503, { success: false, error: 'Down', code: 'DOWN' }),
  );
  const file = join(folder(), 'recording.json');
  const words = (command: string) =>
    command.replace('https://api.example.com', service.url).replace('recording.json', file).split(' ');
  const { call, stop, warned, lines } = await starting(...words(record));
  await call('leads?search=Quit');
  await call(`leads/${idOf(2)}`);
  // The recording is written while the proxy runs, and is complete at any moment.
  await eventually(() => expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ faults: [{}] }));
  await stop();
  expect(readdirSync(join(file, '..'))).toEqual(['recording.json']);
  const [lead, down] = lines();
  expect(lead).toMatch(/ 200 GET \/api\/v2\/public\/leads \d+ ms\n$/);
  expect(down).toMatch(/ 503 GET /);
  expect(warned).toEqual([
    'leads.get response: status must be 200, or 400, 401, 403, 404, 409, 429 for an error, got 503',
    '2 requests passed on, 1 kind of drift:',
    '  1 × leads.get response: status must be 200, or 400, 401, 403, 404, 409, 429 for an error, got 503',
    expect.stringMatching(
      / holds 2 leads, 0 .*, 1 fault\. Start a mock with it: confab-mock --data \S+\.json$/,
    ),
  ]);
  expect(readFileSync(file, 'utf8')).not.toContain('Quit');

  const mock = await startInProcess(...words(replay));
  expect((await mock.call('/api/v2/public/leads')).body.meta.total).toBe(2);
  const status = async () => (await mock.call(`/api/v2/public/leads/${idOf(2)}`)).status;
  expect([await status(), await status()]).toEqual([503, 200]);
  // A reset plans the recorded faults again.
  await mock.call('/__mock/reset', { method: 'POST' });
  expect(await status()).toBe(503);
});

test('a key in a path is never printed, whether it comes from a header or a flag', async () => {
  const service = await startRealService();
  const own = 'confab_live_the-key-of-the-flag';
  const { call, lines, stop } = await starting('--forward', service.url, '--forward-key', own);
  await call(`leads/${KEY}`);
  await call(`leads/${encodeURIComponent(own)}`);
  await stop();
  const redacted = expect.stringContaining('GET /api/v2/public/leads/[redacted] ');
  expect(lines()).toEqual([redacted, redacted]);
});

test('the summary counts the rows that were left out because they break the contract', async () => {
  const service = await startRealService();
  const drifted = [leadOf(1, { phone: 7 }), leadOf(2, { createdAt: '0000-01-01T00:00:00+23:00' }), leadOf(3)];
  for (let nth = 0; nth < 2; nth += 1) {
    service.once('GET leads', (_, outgoing) => json(outgoing, 200, pageOf(drifted)));
  }
  const file = join(folder(), 'recording.json');
  const { call, stop, warned } = await starting('--forward', service.url, '--record', file);
  await call('leads');
  await call('leads');
  await stop();
  const [holds, leftOut] = warned.slice(-2);
  expect(holds).toContain(`${file} holds 1 lead, 0 conversations`);
  expect(leftOut).toBe(
    'Not recorded, because a mock could not load them: 2 leads. The drift above says why.',
  );
});

test('--record replaces a file only with --force, and only the owner can read a recording with personal data', async () => {
  const { url } = await startRealService();
  const file = join(folder(), 'rows.json');
  // In UTF-16, because the content of the file does not matter.
  writeFileSync(file, 'Zo\u00eb', 'latin1');
  const args = ['--forward', url, '--record', file];
  await expect(starting(...args)).rejects.toThrow(`${file} exists already`);
  expect(readFileSync(file, 'latin1')).toBe('Zo\u00eb');
  // The partial file of a killed proxy is removed.
  writeFileSync(`${file}.partial`, 'left behind');
  const forced = await starting(...args, '--force');
  await forced.stop();
  expect(readdirSync(join(file, '..'))).toEqual(['rows.json']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ leads: [] });
  const secret = join(folder(), 'secret.json');
  const kept = await starting('--forward', url, '--record', secret, '--keep-personal-data');
  await kept.call('leads');
  await kept.stop();
  expect(readFileSync(secret, 'utf8')).toContain('Quitéria');
  expect(readFileSync(secret, 'utf8')).not.toContain(KEY);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
});
