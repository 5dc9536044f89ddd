/** Runs the example with a mock: kills a copy again and again during changes, and then compares it with the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';

const kills = Number(process.argv[2] ?? 3);
const port = process.env.PORT ?? '8787';
const secret = 'a secret of the demo';
await using mock = createMock({ clock: 'system', rateLimit: 100_000 });
const server = await serve(mock, { port: 0 });
mock.webhooks.add({
  url: `http://127.0.0.1:${port}/`,
  secret,
  idHeader: 'x-delivery-id',
  retries: Array.from({ length: 20 }, () => 500),
});

/** Writes a message as a new or known person. */
const write = (people = 250) =>
  mock.inbound({
    phone: `+4420794${60_000 + Math.floor(Math.random() * people)}`,
    body: `Message at ${mock.clock.now()}`,
  });
/** Makes changes that no webhook reports: changes a status, and sometimes deletes a conversation. */
const change = () => {
  const [conversation, ...others] = mock.conversations.find({ status: 'open' });
  mock.conversations.update(conversation?.id ?? '', { status: 'resolved' });
  mock.conversations.delete(Math.random() < 0.1 ? (others.at(-1)?.id ?? '') : '');
  mock.leads.update(mock.leads.find()[0]?.id ?? '', { status: 'qualified' });
};
await Promise.all(Array.from({ length: 300 }, () => write()));

const folder = mkdtempSync(join(tmpdir(), 'confab-copy-'));
const program = ['--conditions=@confab/source', join(import.meta.dirname, 'main.ts')];
const run = (...flags: string[]) => {
  const child = spawn(process.execPath, [...program, '--folder', folder, '--port', port, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CONFAB_BASE_URL: server.url,
      CONFAB_API_KEY: mock.apiKey,
      CONFAB_WEBHOOK_SECRET: secret,
    },
  });
  child.stdout.pipe(process.stdout);
  return child;
};

let writing = true;
const writer = (async () => {
  while (writing) {
    await Promise.all([write(1_000), sleep(50)]);
    change();
  }
})();
for (let killed = 0; killed < kills; killed += 1) {
  const child = run();
  await once(child.stdout, 'data');
  await sleep(Math.random() * 8_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  console.log('--- killed ---');
}
writing = false;
await writer;

await once(run('--once'), 'exit');
const [code] = await once(run('--verify'), 'exit');
await server.close();
rmSync(folder, { recursive: true });
process.exitCode = Number(code);
