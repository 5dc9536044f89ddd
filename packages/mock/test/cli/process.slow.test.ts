import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort, runProcess } from '@confab/internal/test-support';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { addFlags } from '../../src/cli/flags.ts';
import {
  COMMAND_LINE,
  create,
  folder,
  leadsIn,
  run,
  runWith,
  startCommand,
  startQuietCommand,
  startWithLimitedFiles,
  writeTempFile,
} from '../support/command.ts';
import { secret } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

test('the command prints a banner, then a line for each request, and exits with 0 after SIGINT', async () => {
  const { call, printed, stop } = await startCommand();
  await call('/api/v2/public/leads?limit=2');
  // The output is a pipe, so it has no color.
  await printed(/Z 200 GET \/api\/v2\/public\/leads\?limit=2/);
  expect((await stop()).code).toBe(0);
});

test('--quiet prints only the base URL and the key', async () => {
  const { url, key, call, stop } = await startQuietCommand();
  await call('/api/v2/public/leads');
  await call('/__mock/state');
  expect(await stop()).toEqual({ code: 0, output: `${url}\n${key}\n`, errors: '' });
});

test('with FORCE_COLOR, the statuses in the log are colored', async () => {
  const { child, output, printed } = runWith({ FORCE_COLOR: '1', NO_COLOR: undefined }, '--port', '0');
  await printed(/Ctrl\+C/);
  await fetch(`${/Base URL +(\S+)/.exec(output())?.[1]}/api/v2/public/leads`);
  await printed(/.\[33m401.\[39m GET /);
  child.kill('SIGINT');
});

test('--help lists every flag and -v prints the version, even if the rest of the command line is wrong', async () => {
  const runs = [run('--port', 'none', '--colour', '-h').ended, run('--admin-token', '', '-v').ended] as const;
  const [help, version] = await Promise.all(runs);
  expect([help.code, help.errors]).toEqual([0, '']);
  for (const { long } of addFlags(new Command()).options) {
    expect(help.output).toMatch(new RegExp(`^ {2}.*${long} `, 'm'));
  }
  expect(version).toEqual({ code: 0, output: `${packageJson.version}\n`, errors: '' });
});

test('emit reads its data from standard input, and exits with 1 if the endpoint cannot be reached', async () => {
  const { mock, server } = await start();
  mock.webhooks.add({ url: `http://127.0.0.1:${await freePort()}`, secret, retries: [60_000] });
  const emit = [...COMMAND_LINE, 'emit', 'order.paid', '--url', server.url, '--data', '-'];
  const { code, lines } = await runProcess('sh', ['-c', `echo '{"total":5}' | "$@"`, 'sh', ...emit]);
  expect(lines.join('')).toMatch(
    / --- POST http:.*order\.paid, attempt 1: TypeError: fetch failed: connect ECONNREFUSED/,
  );
  expect(code).toBe(1);
  expect(mock.webhooks.deliveries[0]?.data).toEqual({ total: 5 });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s saves the state', async (signal) => {
  const state = join(folder(), 'state.json');
  const { call, stop } = await startQuietCommand('--state', state, '--data', 'minimal');
  await call('/api/v2/public/leads', create('+5511987654321'));
  expect(await stop(signal)).toMatchObject({ code: 0, errors: '' });
  expect(leadsIn(state)).toMatchObject([{ phone: '+5511987654321' }]);
});

test('signals during a save do not interrupt it', async () => {
  const state = join(folder(), 'state.json');
  const leads = Array.from({ length: 5_000 }, (_, index) => ({ displayName: `Lead ${index}` }));
  const data = writeTempFile('rows.json', JSON.stringify({ leads }));
  const { child, ended } = await startQuietCommand('--state', state, '--data', data);
  const insist = () => {
    if (child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    child.kill('SIGINT');
    setImmediate(insist);
  };
  insist();
  expect(await ended).toMatchObject({ code: 0, errors: '' });
  expect(leadsIn(state)).toHaveLength(5_000);
});

test('when the state no longer fits on the disk, the command names its file and leaves no partial file', async () => {
  const path = folder();
  const [state, data] = [join(path, 'state.json'), join(path, 'rows.json')];
  writeFileSync(data, '{}');
  // No file of the process can grow beyond a few blocks, as on a full disk.
  const { call, complained, stop } = await startWithLimitedFiles(8, '--state', state, '--data', data);
  for (let nth = 0; nth < 60; nth += 1) {
    await call('/api/v2/public/leads', create(`+55119876${54300 + nth}`));
  }
  await complained(/Cannot write \S+state\.json: EFBIG: .+ This will be retried\./);
  const { code, errors } = await stop();
  expect(code).toBe(1);
  expect(errors).toMatch(/Cannot write \S+state\.json: EFBIG: .+, write\n$/);
  expect(readdirSync(path).filter((name) => /partial|lock/.test(name))).toEqual([]);
});

test('the command saves its state and exits with 0 when its stdout is closed, and goes on when its stderr is', async () => {
  const state = join(folder(), 'state.json');
  const { child, call, ended, printed } = await startCommand('--state', state, '--data', 'minimal');
  child.stderr?.destroy();
  await call('/api/v2/public/leads', create('+5511987654321'));
  await printed(/ 201 POST /);
  child.stdout?.destroy();
  await call('/api/v2/public/leads', create('+5511987654322'));
  expect((await ended).code).toBe(0);
  expect(leadsIn(state)).toHaveLength(2);
});

test('when its output is closed, the command finishes the requests in flight before it exits', async () => {
  const { child, call, ended } = await startCommand();
  const fault = JSON.stringify({ operation: 'agents.list', fault: { delayMs: 1_500 } });
  await call('/__mock/faults', { method: 'POST', body: fault });
  const slow = call('/api/v2/public/agents');
  await eventually(async () => expect((await call('/__mock/faults')).body.data).toEqual([]));
  child.stdout?.destroy();
  // The server notices that nobody reads when it prints the line of this request.
  await call('/api/v2/public/leads').catch(() => {});
  expect((await slow).status).toBe(200);
  expect((await ended).code).toBe(0);
});

test('a named pipe is refused at once by every flag that takes a file', async () => {
  const pipe = join(folder(), 'rows.json');
  execFileSync('mkfifo', [pipe]);
  const commands = [
    ['--data', pipe],
    ['--state', pipe],
    ['--tls-cert', pipe, '--tls-key', pipe],
    ['init', pipe, '--force'],
  ];
  for (const { code, errors } of await Promise.all(commands.map((args) => run(...args).ended))) {
    expect(code).toBe(2);
    expect(errors).toMatch(/^confab-mock: .*must be a regular file\n$/);
  }
});
