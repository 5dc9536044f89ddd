import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';

/** Where the tools are installed. */
export const FOLDER = import.meta.dirname;
/** What they read. */
export const DOCUMENT = join(FOLDER, '../../../packages/client/openapi.json');

/** None of them has to tell anybody that it ran, or to ask whether there is a later version. */
const TOOL_ENV = {
  ...process.env,
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** @throws {@link Error} When the command fails. The message is what it printed. */
export const run = async (command: string, ...args: readonly string[]): Promise<void> => {
  try {
    await promisify(execFile)(command, args, { cwd: FOLDER, env: TOOL_ENV, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(stripVTControlCharacters(`${command} ${args.join(' ')}\n${stdout}${stderr}`));
  }
};

/** Runs one of the installed tools. */
export const runTool = (tool: string, ...args: readonly string[]): Promise<void> =>
  run(join(FOLDER, 'node_modules/.bin', tool), ...args);
