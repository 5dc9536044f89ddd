import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run as runProgram } from '../../src/cli/program.ts';

const COMMAND = join(import.meta.dirname, '../../src/cli/confab-mock.ts');

/** Creates a folder that is deleted after the test. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'confab-mock-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** Writes a file with this text in a folder of its own, and returns its path. */
export const writeTempFile = (name: string, text: string, encoding: BufferEncoding = 'utf8'): string => {
  const path = join(folder(), name);
  writeFileSync(path, text, encoding);
  return path;
};

/** A request that creates a lead. */
export const create = (phone: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ phone }) });

/** The leads in a file of rows. */
export const leadsIn = (path: string): { phone: string; createdAt: string }[] =>
  JSON.parse(readFileSync(path, 'utf8')).leads;

/** Resolves once the text of a stream matches. */
const matching = async (stream: Readable, text: () => string, pattern: RegExp): Promise<void> => {
  while (!pattern.test(text())) {
    await once(stream, 'data');
  }
};

/** Follows a process until it ends, at the latest with the test. */
const follow = (child: ChildProcessByStdio<null, Readable, Readable>) => {
  onTestFinished(() => void child.kill('SIGKILL'));
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
    /** Resolves once the output matches. */
    printed: (pattern: RegExp) => matching(child.stdout, () => output, pattern),
    /** Resolves once the errors match. */
    complained: (pattern: RegExp) => matching(child.stderr, () => errors, pattern),
    ended: new Promise<{ code: number | null; output: string; errors: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, output, errors })),
    ),
  };
};

/** The words that run the command. */
export const COMMAND_LINE = [process.execPath, '--conditions=@confab/source', COMMAND];

/** Runs the command as a process of its own. */
export const run = (...args: string[]) => runWith({}, ...args);

/** {@link run} with some variables of the environment changed. */
export const runWith = (env: Readonly<Record<string, string | undefined>>, ...args: string[]) => {
  const [node = '', ...words] = COMMAND_LINE;
  return follow(
    spawn(node, [...words, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } }),
  );
};

interface Answer {
  readonly error: string;
  readonly data: readonly { readonly id: string; readonly phone: string }[];
  readonly meta: { readonly total: number };
}

const caller =
  (url: string, key: string) =>
  async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } });
    // A body of any shape: each test reads the fields that it expects.
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };

/** Reads the URL and the key from a banner, or from the two lines of `--quiet`. */
const addressIn = (banner: string) => {
  const [, url = ''] =
    /(https?:\/\/(?:127\.0\.0\.1|0\.0\.0\.0|localhost)\S+)/.exec(banner.replace(/passes requests.*/, '')) ??
    [];
  const [, key = ''] = /(?:API key +|^http.*\n)(\S+)/.exec(banner) ?? [];
  return { url, key, call: caller(url, key) };
};

const onceListening = async (started: ReturnType<typeof follow>, ready = /^http.*\n.+\n/) => {
  const exited = started.ended.then(({ errors }) => {
    throw new Error(`It ended before it listened: ${errors}`);
  });
  exited.catch(() => {});
  await Promise.race([started.printed(ready), exited]);
  const stop = (signal: NodeJS.Signals = 'SIGINT') => {
    started.child.kill(signal);
    return started.ended;
  };
  return { ...started, ...addressIn(started.output()), stop };
};

/** Starts the command in a process, with the URL and the key that it printed. */
export const startQuietCommand = (...args: string[]) => onceListening(run('--port', '0', '--quiet', ...args));

/** {@link startQuietCommand} with a banner and a log. */
export const startCommand = (...args: string[]) => onceListening(run('--port', '0', ...args), /Ctrl\+C/);

/** {@link startQuietCommand}, but no file that the process writes can have more blocks of 512 bytes. */
export const startWithLimitedFiles = (blocks: number, ...args: string[]) => {
  const script = `ulimit -f ${blocks}; exec "$@"`;
  const words = ['-c', script, 'sh', ...COMMAND_LINE, '--port', '0', '--quiet', ...args];
  return onceListening(follow(spawn('/bin/sh', words, { stdio: ['ignore', 'pipe', 'pipe'] })));
};

/** Runs a command line within this process. Resolves to what it has printed so far, and to its server if it serves. */
export const runInProcess = async (...args: string[]) => {
  const [printed, warned]: [string[], string[]] = [[], []];
  const started = await runProgram(args, {
    print: (text) => printed.push(text),
    warn: (text) => warned.push(text),
    paint: (_, text) => text,
  });
  return { started, printed, warned };
};

/** Starts the server within this process, which is faster. */
export const startInProcess = async (...args: string[]) => {
  const { started, printed, warned } = await runInProcess('--port', '0', ...args);
  if (started === undefined) {
    throw new Error('It started no server');
  }
  const { banner, stop } = started;
  onTestFinished(() => stop());
  return { ...addressIn(banner), banner, warned, lines: () => printed, stop };
};

/** Resolves to the error with which the command refuses a command line. */
export const refusalOf = (...args: string[]): Promise<unknown> =>
  startInProcess(...args).then(
    ({ stop }) => stop(),
    (error) => error,
  );
