/**
 * Runs one program from the tarballs in the runtimes that users have. It installs each runtime except Chromium. Prints the
 * table of docs/compatibility.md; exits with 1 if a runtime fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, openServer, runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { Argument, program } from 'commander';
import type { BuildOptions } from 'esbuild';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { printTable } from '../../../scripts/bench/tables.ts';
import { createProject, onNode } from '../project.ts';
import type { program as programType, Surroundings } from './program/program.ts';

/** What the bundle defines in the page. */
declare const bundled: { readonly program: typeof programType };

interface Runtime {
  readonly title: string;
  /** The packages of the runtime. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Returns `ok`, or what failed. */
  readonly run: () => Promise<string>;
}

/** The program where there is a command line. */
const onCommandLine = async ([command = '', ...args]: readonly string[]): Promise<string> => {
  const { baseUrl, apiKey, slowKey } = surroundings();
  const options = { cwd: project, timeout: 180_000 };
  const { code, lines, errors } = await runProcess(command, [...args, baseUrl, apiKey, slowKey], options);
  return code === 0 ? 'ok' : [...lines, errors].join('\n');
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
    // workerd reports its port on the control channel.
    const [message] = (await once(child.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const { port } = JSON.parse(message.toString()) as { port: number };
    const body = JSON.stringify(surroundings());
    return await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  } finally {
    child.kill();
  }
};

/** Runs the program in a page whose origin is not that of the API. */
const inChromium = async (): Promise<string> => {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '' });
  const empty = await openServer((_, response) => response.setHeader('content-type', 'text/html').end());
  try {
    const page = await browser.newPage();
    await page.goto(empty.url);
    await page.addScriptTag({ content: await bundle('program.ts', { globalName: 'bundled' }) });
    await page.evaluate((where) => bundled.program(where), surroundings());
    return 'ok';
  } catch (error) {
    return String(error);
  } finally {
    await browser.close();
    empty.close();
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
  chromium: { title: 'Chromium, headless', run: inChromium },
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
  'worker.ts': file('worker.ts'),
});

/** Bundles one of the programs, with the installed packages. */
const bundle = async (entry: string, options: BuildOptions = { format: 'esm' }): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(project, entry)],
    absWorkingDir: project,
    bundle: true,
    target: 'es2022',
    write: false,
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
};

writeFileSync(
  join(project, 'command.js'),
  await bundle('command.ts', { format: 'esm', packages: 'external' }),
);
const mock = createMock({ data: 'demo', clock: 'system' });
const server = await serve(mock, { cors: true });
/** Returns where a program finds the API, and its keys. */
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
