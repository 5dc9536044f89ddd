/**
 * Runs one program from the tarballs in the runtimes that users have. Each is installed by this command alone, except for
 * Chromium. Prints the table of docs/compatibility.md; exits with 1 when a runtime fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { Argument, program } from 'commander';
import { build } from 'esbuild';
import { printTable } from '../../../scripts/bench/tables.ts';
import { createProject, onNode } from '../project.ts';
import type { Surroundings } from './program/program.ts';

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

interface Runtime {
  readonly title: string;
  /** Packages that the project needs for it. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Returns `ok`, or what went wrong. */
  readonly run: () => Promise<string>;
}

/** The program where there is a command line. */
const onCommandLine = async ([command = '', ...args]: readonly string[]): Promise<string> => {
  const { baseUrl, apiKey, slowKey } = surroundings();
  const child = spawn(command, [...args, baseUrl, apiKey, slowKey], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await exited;
  return status === 0 ? 'ok' : output.join('').trim();
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
    // On its control channel, it says which port it was given.
    const [message] = (await once(child.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const { port } = JSON.parse(message.toString()) as { port: number };
    const body = JSON.stringify(surroundings());
    return await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  } finally {
    child.kill();
  }
};

/** Serves a page that runs the program, and resolves to the result that it posts. */
const chromium = async (): Promise<string> => {
  const script = await bundle('page.ts');
  const page = `<script>surroundings = ${JSON.stringify(surroundings())}</script><script type="module">${script}</script>`;
  let post = (_result: string) => {};
  const posted = new Promise<string>((resolve) => {
    post = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      post(await text(request));
    }
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? page : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = mkdtempSync(join(tmpdir(), 'confab-chromium-'));
  const { port } = server.address() as AddressInfo;
  const flags = [...CHROMIUM_FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn('chromium', [...flags, `http://127.0.0.1:${port}/`], { stdio: 'ignore' });
  child.once('error', () => post('Chromium is not installed: apt-get install chromium'));
  try {
    return await posted;
  } finally {
    child.kill();
    server.closeAllConnections();
    server.close();
  }
};

const node = (version: string): Runtime => ({
  title: `Node ${version}`,
  run: () => onCommandLine(onNode(version, 'command.js')),
});

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  node22: node('22'),
  node24: node('24'),
  node26: node('26'),
  bun: {
    title: 'Bun',
    needs: { bun: '^1.3.0' },
    run: () => onCommandLine(['node_modules/.bin/bun', 'command.ts']),
  },
  deno: {
    title: 'Deno',
    needs: { deno: '^2.5.0' },
    run: () => onCommandLine(['node_modules/.bin/deno', 'run', '--allow-net', '--allow-env', 'command.ts']),
  },
  workerd: { title: 'workerd', needs: { workerd: '^1.20261001.0' }, run: workerd },
  chromium: { title: 'Chromium, headless', run: chromium },
};

const known = Object.keys(RUNTIMES);
program
  .name('pnpm --dir test runtimes')
  .description('Runs one program from the tarballs in each runtime.')
  .addArgument(new Argument('[runtimes...]').choices(known).default(known, 'all'))
  .showHelpAfterError()
  .parse();
const [names = known] = program.processedArgs as [string[]?];
const runtimes = names.flatMap((name) => RUNTIMES[name] ?? []);

const file = (name: string): URL => new URL(`program/${name}`, import.meta.url);
const project = createProject('runtimes', Object.assign({}, ...runtimes.map(({ needs }) => needs)), {
  'program.ts': file('program.ts'),
  'command.ts': file('command.ts'),
  'page.ts': file('page.ts'),
  'worker.ts': file('worker.ts'),
});

/** A bundle of one of the programs; browsers and workers need the installed tarballs in it. */
const bundle = async (entry: string, packages: 'bundle' | 'external' = 'bundle'): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(project, entry)],
    absWorkingDir: project,
    bundle: true,
    packages,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

writeFileSync(join(project, 'command.js'), await bundle('command.ts', 'external'));
const mock = createMock({ data: 'demo', clock: 'system' });
const server = await serve(mock, { cors: true });
/** Where a program finds the API, and with which keys. */
const surroundings = (): Surroundings => ({
  baseUrl: server.url,
  apiKey: mock.apiKey,
  slowKey: mock.keys.create({ rateLimit: { requests: 2, perMs: 1_000 } }).key,
});

const rows: string[][] = [];
for (const { title, run } of runtimes) {
  const outcome = await run();
  rows.push([title, outcome === 'ok' ? 'ok' : 'FAILED']);
  if (outcome !== 'ok') {
    console.error(`${title}: ${outcome}`);
    process.exitCode = 1;
  }
}
printTable(['Runtime', 'calls, pagination, a 429, deliveries'], rows);
await server.close();
