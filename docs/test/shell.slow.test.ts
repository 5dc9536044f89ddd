import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as streamText } from 'node:stream/consumers';
import { freePort, listen, runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { sign } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, read } from '../.vitepress/content/repository.ts';
import { environment } from './support/blocks.ts';
import { commandsProvenBy, guideBlocks } from './support/shell.ts';

const SECRET = 'whsec_0123456789';
const BODY = JSON.stringify({
  event: 'message.created',
  data: { conversationId: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11', channel: 'live_chat', body: 'Hello' },
});

/** Replaces npx: runs the programs of the packages from their source, by the name of the package or of the program. */
const NPX = `#!/bin/sh
while [ "$1" = --package ]; do shift 2; done
case $1 in
  @confab/client | confab) program=client/src/cli/confab.ts ;;
  @confab/mock | confab-mock) program=mock/src/cli/confab-mock.ts ;;
  @confab/webhooks) program=webhooks/src/cli/confab-webhooks.ts ;;
esac
shift
exec "${process.execPath}" --conditions=@confab/source "${ROOT}packages/$program" "$@"
`;

/** A service with the rows whose ids the guide names. */
const createService = () => {
  // With this limit, a probe never has to wait.
  const mock = createMock({
    clock: 'system',
    rateLimit: { requests: 600_000, perMs: 60_000, headers: 'always' },
  });
  const lead = mock.leads.create({ id: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11', phone: '+12025550100' });
  mock.conversations.create({ id: '8a4f3f0e-1f61-4f0c-8e0a-7b1f0c2d9e33', leadId: lead.id });
  mock.agents.create({ id: 'c1b7a0de-2f4e-4f55-8a39-5e2f6f8d7c44' });
  return mock;
};

/** Prepares what a reader has: the packages, a service, a server for deliveries, and the files that the commands read. */
const prepare = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const programs = join(folder, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(`${ROOT}docs/node_modules/@confab`, join(folder, 'node_modules/@confab'));
  const mode = 0o755;
  writeFileSync(join(programs, 'npx'), NPX, { mode });
  for (const name of ['confab', 'confab-mock']) {
    writeFileSync(join(programs, name), `#!/bin/sh\nexec npx ${name} "$@"\n`, { mode });
  }

  const mock = createService();
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const deliveries: string[] = [];
  const receiver = await listen(async (request, response) => {
    deliveries.push(Buffer.concat(await request.toArray()).toString());
    response.end();
  });

  const headers = await sign(BODY, { secret: SECRET, signature: { header: 'x-webhook-signature' } });
  const delivery = {
    receivedAt: '2026-01-01T00:00:00.000Z',
    headers: Object.entries(headers),
    body: btoa(BODY),
  };
  const files = {
    'body.json': BODY,
    'deliveries.jsonl': `${JSON.stringify(delivery)}\n`,
    'app.js': `const { CONFAB_BASE_URL, CONFAB_API_KEY } = process.env;
    fetch(CONFAB_BASE_URL + '/api/v2/public/leads', { headers: { 'x-api-key': CONFAB_API_KEY } }).then(({ status }) =>
      console.log(new URL(CONFAB_BASE_URL).protocol, status),
    );`,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
  }

  const env = {
    ...environment,
    PATH: `${programs}:${environment.PATH}`,
    HOME: folder,
    phone: '+12025550100',
    CONFAB_WEBHOOK_SECRET: SECRET,
    CONFAB_BASE_URL: server.url,
    CONFAB_API_KEY: mock.apiKey,
    CONFAB_MOCK_URL: server.url,
  };
  /** Replaces placeholders and fixed addresses by the values of this test. */
  const fillIn = (code: string): string =>
    code
      .replace('CONFAB_API_KEY=…', `CONFAB_API_KEY=${mock.apiKey}`)
      .replace('x-one: …', 'x-one: 1')
      .replace(/(x-webhook-signature|x-two): …/, `$1: ${headers['x-webhook-signature']}`)
      .replace('http://localhost:8080', receiver)
      .replace(/https:\/\/api\.example\.com|http:\/\/127\.0\.0\.1:4010/, server.url);
  return { folder, mock, deliveries, receiver, options: { cwd: folder, env }, fillIn };
};

/** Matches commands that make the mock send an event. */
const TRIGGERS = /^npx @confab\/mock (?:emit|inbound) /;

/** Runs commands until they end or one fails. */
const run = async (code: string) => {
  const reader = await prepare();
  if (TRIGGERS.test(code)) {
    reader.mock.webhooks.add({ url: reader.receiver, secret: SECRET });
  }
  const script = `set -euo pipefail\ncommand -v jq > /dev/null || jq() { cat; }\n${reader.fillIn(code)}`;
  const { code: status, lines, errors } = await runProcess('bash', ['-c', script], reader.options);
  expect(status, `${lines.join('\n')}\n${errors}`).toBe(0);
  return { ...reader, lines };
};

/** Runs a command that starts a server until it prints its address, and then stops it. */
const runServer = async (command: string) => {
  const { folder, options, fillIn } = await prepare();
  const [, flag, file] = /--(data|config) (\S+)/.exec(command) ?? [];
  if (file !== undefined) {
    writeFileSync(join(folder, file), JSON.stringify(flag === 'data' ? createMock().dump() : {}));
  }
  const script = `exec ${fillIn(command).replace(/ &$| --port \d+/g, '')} --port 0`;
  const child = spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = streamText(child.stderr);
  const closed = once(child, 'close');
  let printed = '';
  for await (const line of createInterface({ input: child.stdout })) {
    printed += line;
    if (line.includes('http://')) {
      break;
    }
  }
  child.kill('SIGTERM');
  const [status] = await closed;
  expect(printed, await errors).toMatch(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/);
  expect(status, await errors).toBe(0);
};

const commands = [...new Set([...guideBlocks, ...commandsProvenBy('runs').map(({ text }) => text)])];
const serves = (command: string): boolean =>
  /^npx @confab\/(?:mock\b(?! init| probe| emit| inbound)|webhooks listen)/.test(command);

test.for(commands.filter(serves))('the command %s serves until it is stopped', runServer);

test.for(commands.filter((command) => !serves(command)))('the command succeeds: %s', async (code) => {
  const { mock, deliveries, folder, lines } = await run(code);
  const calls = code.match(/^(?:npx .*)?confab (?!.*--(?:mock|dry-run))|^npx @confab\/client/gm)?.length ?? 0;
  expect(mock.requests.all.length).toBeGreaterThanOrEqual(calls);
  expect(deliveries).toHaveLength(code.match(/ --to http/g)?.length ?? Number(TRIGGERS.test(code)));
  if (code.includes('> leads.jsonl')) {
    expect(readFileSync(join(folder, 'leads.jsonl'), 'utf8').trim().split('\n')).toHaveLength(
      mock.leads.count(),
    );
  }
  if (code.startsWith('curl')) {
    expect(JSON.parse(lines.join(''))).toMatchObject({ data: { baseUrl: expect.stringContaining('/w/') } });
  }
});

test('the code block with --tls starts a program that trusts the certificate, and stops the mock', async () => {
  const [, block = ''] = /^```sh\n(\{ read -r url;.*?)^```$/ms.exec(read('docs/guides/mock-server.md')) ?? [];
  expect((await run(block)).lines).toEqual(['https: 200']);
});

test('the workflow in docs/guides/ci.md starts a mock, waits for it, and passes its key to the tests', async () => {
  const [, workflow = ''] = /^```yaml\n(.*?)^```$/ms.exec(read('docs/guides/ci.md')) ?? [];
  const variables = workflow.match(/(?<=^ +)CONFAB_\w+: \S+$/gm) ?? [];
  const steps = workflow.match(/(?<=^ +- run: ).*$/gm) ?? [];
  const readersProject = `npm() {
    [ "$1" = ci ] || curl --silent --fail --header "x-api-key: $CONFAB_API_KEY" "$CONFAB_BASE_URL/api/v2/public/leads"
  }`;
  const script = [
    ...variables.map((variable) => `export ${variable.replace(': ', '=')}`),
    readersProject,
    "trap 'kill $!' EXIT",
    ...steps,
  ].join('\n');
  const { lines } = await run(script.replaceAll('4010', `${await freePort()}`));
  expect(lines.join('')).toContain('"data":[],"meta":{"total":0,');
});

test('the README of the mock lists every flag of its command', async () => {
  const { lines } = await run('npx @confab/mock --help\n');
  const flagsIn = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, flag]) => flag).toSorted();
  const [, table = ''] = /^### Flags\n(.*?)^## /ms.exec(read('packages/mock/README.md')) ?? [];
  const flags = flagsIn(lines.join('\n'), /^ {2}(?:-\w, )?(--[\w-]+)/gm);
  expect(flags.length).toBeGreaterThan(20);
  expect(flagsIn(table, /`(--[\w-]+)/g)).toEqual(expect.arrayContaining(flags));
});

test('the test of commands notices a command that fails', async () => {
  await expect(run('confab leads get 00000000-0000-4000-8000-000000000000\n')).rejects.toThrow('404');
  await expect(run('confab leads list --statsu new\n')).rejects.toThrow('Did you mean');
});
