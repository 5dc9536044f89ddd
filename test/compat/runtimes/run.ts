/**
 * Runs one program from the tarballs in every runtime that users have. Each runtime is fetched by this command alone,
 * except for Chromium, which has to be there. Prints the matrix as Markdown; exits 1 when a runtime fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { pack, run } from './pack.ts';
import { serveApi } from './runtimes/serve-api.ts';

const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const project = mkdtempSync(join(tmpdir(), 'confab-runtimes-'));
cpSync(fileURLToPath(new URL('./runtimes', import.meta.url)), project, { recursive: true });
writeFileSync(
  join(project, 'package.json'),
  JSON.stringify({
    name: 'runtimes',
    private: true,
    type: 'module',
    dependencies: {
      '@confab/client': `file:${pack('client')}`,
      '@confab/webhooks': `file:${pack('webhooks')}`,
      bun: '^1.3.0',
      deno: '^2.5.0',
      workerd: '^1.20261001.0',
    },
  }),
);
run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project);

/** A bundle of one of the programs, against the installed tarballs. */
const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(project, entry)],
    absWorkingDir: project,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

const api = await serveApi(await bundle('page.ts'));
const surroundings = () => ({ baseUrl: api.url, apiKey: api.apiKey, slowKey: api.newSlowKey() });

const finish = async (command: string, args: string[]): Promise<string> => {
  const child = spawn(command, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await exited;
  return status === 0 ? 'ok' : output.join('').trim();
};

writeFileSync(join(project, 'main.js'), await bundle('main.ts'));
const commandLine =
  (command: string, ...args: string[]) =>
  async (): Promise<string> => {
    const { baseUrl, apiKey, slowKey } = surroundings();
    return finish(command, [...args, baseUrl, apiKey, slowKey]);
  };

const workerd = async (): Promise<string> => {
  writeFileSync(join(project, 'worker.js'), await bundle('worker.ts'));
  writeFileSync(
    join(project, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [
         (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01")),
         (name = "internet", network = (allow = ["local", "private", "public"])),
       ],
       sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
     );`,
  );
  const child = spawn('node_modules/.bin/workerd', ['serve', 'worker.capnp', '--control-fd=3'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  try {
    // It tells on its control channel which port it was given.
    const [message] = (await once(child.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const { port } = JSON.parse(message.toString()) as { port: number };
    const ask = async (path: string): Promise<string> => {
      const body = JSON.stringify(surroundings());
      return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).text();
    };
    // Timers end with the request that set them there: requests that queue behind each other must not.
    const outcomes = await Promise.all([
      ask('/'),
      ask('/queue'),
      ask('/queue'),
      ask('/queue'),
      ask('/queue'),
    ]);
    return outcomes.find((outcome) => outcome !== 'ok') ?? 'ok';
  } finally {
    child.kill();
  }
};

const chromium = async (): Promise<string> => {
  const outcome = api.outcome();
  const profile = mkdtempSync(join(tmpdir(), 'confab-chromium-'));
  const child = spawn(
    'chromium',
    [...CHROMIUM_FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`, api.url],
    {
      stdio: 'ignore',
    },
  );
  const failed = once(child, 'error').then(() => 'chromium was not found: apt-get install chromium');
  try {
    return await Promise.race([outcome, failed]);
  } finally {
    child.kill();
  }
};

const onNode = (version: string) =>
  commandLine('npx', '--yes', '--package', `node@${version}`, '--', 'node', 'main.js');
const runtimes: [name: string, attempt: () => Promise<string>][] = [
  ['Node 22', onNode('22')],
  ['Node 24', onNode('24')],
  ['Node 26', onNode('26')],
  ['Bun', commandLine('node_modules/.bin/bun', 'main.ts')],
  ['Deno', commandLine('node_modules/.bin/deno', 'run', '--allow-net', '--allow-env', 'main.ts')],
  ['workerd', workerd],
  ['Chromium, headless', chromium],
];

console.log('| Runtime | calls, pagination, a 429, deliveries |');
console.log('|---|---|');
for (const [name, attempt] of runtimes) {
  const outcome = await attempt();
  console.log(`| ${name} | ${outcome === 'ok' ? 'ok' : 'FAILED'} |`);
  if (outcome === 'ok') {
    continue;
  }
  console.error(outcome);
  process.exitCode = 1;
}
api.close();
