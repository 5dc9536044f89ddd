import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as streamText } from 'node:stream/consumers';
import { listen, runProgram } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { sign } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, read } from './support/repository.ts';
import { commandsProvenBy, shellCommands } from './support/shell-commands.ts';

const SECRET = 'whsec_0123456789';
const SIGNATURE = { header: 'x-webhook-signature' };
const BODY = JSON.stringify({
  event: 'message.created',
  data: { conversationId: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11', channel: 'live_chat', body: 'Hello' },
});

const command = (name: 'mock' | 'webhooks') =>
  `exec "${process.execPath}" --conditions=@confab/source "${ROOT}packages/${name}/src/cli/confab-${name}.ts"`;

/** A folder in which the packages are installed as programs, with the files that the commands read. */
const createFolder = async (): Promise<{ folder: string; env: NodeJS.ProcessEnv; signature: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const programs = join(folder, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  const scripts = {
    npx: `name=$1; shift\ncase $name in\n@confab/mock) ${command('mock')} "$@" ;;\n@confab/webhooks) ${command('webhooks')} "$@" ;;\nesac\n`,
    'confab-mock': `${command('mock')} "$@"\n`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}`);
    chmodSync(join(programs, name), 0o755);
  }
  const headers = await sign(BODY, { secret: SECRET, signature: SIGNATURE });
  writeFileSync(join(folder, 'body.json'), BODY);
  const delivery = {
    receivedAt: '2026-01-01T00:00:00.000Z',
    headers: Object.entries(headers),
    body: btoa(BODY),
  };
  writeFileSync(join(folder, 'deliveries.jsonl'), `${JSON.stringify(delivery)}\n`);
  return {
    folder,
    env: { PATH: `${programs}:${process.env.PATH}`, HOME: folder, CONFAB_WEBHOOK_SECRET: SECRET },
    signature: headers['x-webhook-signature'] ?? '',
  };
};

/** A server that accepts every delivery, in place of the reader's own. */
const createApp = async (): Promise<{ url: string; received: string[] }> => {
  const received: string[] = [];
  const url = await listen(async (request, response) => {
    const chunks = await request.toArray();
    received.push(Buffer.concat(chunks).toString());
    response.end();
  });
  return { url, received };
};

/** What a reader fills in, and the addresses of this test in place of fixed ones. */
const fillIn = (text: string, app: string, signature: string): string =>
  text
    .replace(/ &$/, '')
    .replace(/(x-webhook-signature): …/, `$1: ${signature}`)
    .replace('x-one: …', 'x-one: 1')
    .replace('x-two: …', `x-two: ${signature}`)
    .replace('http://localhost:8080', app)
    .replace('https://api.example.com', app)
    .replace(/ --port \d+/, '')
    .concat(serves(text) ? ' --port 0' : '');

/** Whether a command serves until it is stopped. */
const serves = (text: string): boolean => /@confab\/mock|@confab\/webhooks listen/.test(text);

/** Runs a command that serves until it prints its address, and then stops it. */
const runServer = async (text: string, options: { cwd: string; env: NodeJS.ProcessEnv }) => {
  const child = spawn('bash', ['-c', `exec ${text}`], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = streamText(child.stderr);
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const printed: string[] = [];
  for await (const line of lines) {
    printed.push(line);
    if (line.includes('http://')) {
      break;
    }
  }
  child.kill('SIGTERM');
  const [code] = await closed;
  return { printed: printed.join('\n'), code, errors: await errors };
};

const commands = commandsProvenBy('runs a command of a package').map(
  ({ document, text }) => [document, text] as const,
);

test.for(commands)('%s: %s works', async ([, text]) => {
  const { folder, env, signature } = await createFolder();
  const app = await createApp();
  const script = fillIn(text, app.url, signature);
  if (text.includes('--data recording.json')) {
    writeFileSync(join(folder, 'recording.json'), JSON.stringify(createMock().dump()));
  }
  if (serves(text)) {
    const { printed, code, errors } = await runServer(script, { cwd: folder, env });
    expect(printed, errors).toMatch(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/);
    expect(code, errors).toBe(0);
    return;
  }
  const { code, lines, errors } = await runProgram('bash', ['-c', script], { cwd: folder, env });
  expect(code, `${lines.join('\n')}\n${errors}`).toBe(0);
  expect(app.received).toHaveLength(/ --to /.test(text) ? 1 : 0);
});

test('the block with --tls starts a program that trusts the certificate, and ends the mock', async () => {
  const block = /^```sh\n(\{ read -r url;.*?)^```$/ms.exec(read('docs/guides/testing.md'))?.[1] ?? '';
  const { folder, env } = await createFolder();
  writeFileSync(
    join(folder, 'app.js'),
    `const { CONFAB_BASE_URL, CONFAB_API_KEY } = process.env;
    fetch(CONFAB_BASE_URL + '/api/v2/public/leads', { headers: { 'x-api-key': CONFAB_API_KEY } }).then(({ status }) =>
      console.log(new URL(CONFAB_BASE_URL).protocol, status),
    );`,
  );
  const { code, lines, errors } = await runProgram('bash', ['-c', `set -e\n${block}`], { cwd: folder, env });
  expect(lines, errors).toEqual(['https: 200']);
  expect(code, errors).toBe(0);
});

test('the request that creates a world succeeds', async () => {
  const { text = '' } = shellCommands.find(({ text }) => text.includes('/__mock/worlds -d')) ?? {};
  await using server = await serve(createMock());
  const { lines } = await runProgram('bash', ['-c', text.replace('http://127.0.0.1:4010', server.url)]);
  expect(JSON.parse(lines.join(''))).toMatchObject({
    success: true,
    data: { baseUrl: expect.stringContaining('/w/') },
  });
});
