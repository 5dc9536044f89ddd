import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';

/** Where the tools are installed. */
export const FOLDER = import.meta.dirname;
/** Where they write. */
export const GENERATED = join(FOLDER, 'generated');
/** What they read. */
export const DOCUMENT = join(FOLDER, '../../../packages/client/openapi.json');

const ENVIRONMENT = {
  ...process.env,
  NO_COLOR: '1',
  // None of them has to tell anybody that it ran, or to ask whether there is a later version.
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  STEPCI_DISABLE_ANALYTICS: '1',
  NO_UPDATE_NOTIFIER: '1',
};

const start = (command: string, args: readonly string[], environment: Record<string, string>, cwd: string) =>
  spawn(command, args, {
    cwd,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/**
 * Runs a program, in the folder of the tools unless told otherwise; resolves to what it printed.
 *
 * @throws {@link Error} When it fails; the message is what it printed.
 */
export const run = async (
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd = FOLDER,
): Promise<string> => {
  const child = start(command, args, environment, cwd);
  const exited = once(child, 'exit');
  const printed = stripVTControlCharacters(
    (await Promise.all([text(child.stdout), text(child.stderr)])).join(''),
  );
  const [status] = await exited;
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')}\n${printed}`);
  }
  return printed;
};

/** {@link run} for one of the installed tools. */
export const runTool = (
  name: string,
  args: readonly string[],
  environment?: Record<string, string>,
  cwd?: string,
) => run(join(FOLDER, 'node_modules/.bin', name), args, environment, cwd);

/**
 * Starts a program that goes on; resolves once it has printed a match.
 *
 * @throws {@link Error} When it ends before that; the message is what it printed.
 */
export const startUntil = (
  command: string,
  args: readonly string[],
  pattern: RegExp,
): Promise<{ match: RegExpExecArray; close: () => void }> =>
  new Promise((resolve, reject) => {
    const child = start(command, args, {}, FOLDER);
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += stripVTControlCharacters(chunk.toString());
      const match = pattern.exec(printed);
      if (match !== null) {
        resolve({ match, close: () => child.kill() });
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${command} ${args.join(' ')} ended:\n${printed}`)));
  });
