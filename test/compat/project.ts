import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PACKAGES, pack, run } from '../../scripts/pack.ts';

/** The tarballs of the packages, as dependencies. */
const tarballs = Object.fromEntries(PACKAGES.map((name) => [`@confab/${name}`, `file:${pack(name)}`]));

/**
 * Creates a project like that of a user, outside the repository, and installs the tarballs and its other dependencies.
 *
 * @param files The files of the project: a file to copy, a text, or a value to write as JSON.
 */
export const createProject = (
  name: string,
  devDependencies: Readonly<Record<string, string>>,
  files: Readonly<Record<string, URL | string | object>>,
): string => {
  const folder = mkdtempSync(join(tmpdir(), `confab-${name}-`));
  const manifest = {
    name,
    private: true,
    type: 'module',
    dependencies: tarballs,
    // The packages depend on each other by version, and these versions are not published yet.
    overrides: tarballs,
    devDependencies,
  };
  for (const [path, content] of Object.entries({ 'package.json': manifest, ...files })) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (content instanceof URL) {
      copyFileSync(content, target);
    } else {
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }
  // Not `--force`: a version that our peer ranges refuse must fail here, as it does for users.
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  return folder;
};

/** Runs a program in a project. If it fails, prints its output and sets a failing exit code. */
export const cell = (
  folder: string,
  [command, ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): 'ok' | 'FAILED' => {
  const { status, stdout, stderr } = spawnSync(command ?? '', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: '1', ...env },
    timeout: 180_000,
  });
  if (status === 0) {
    return 'ok';
  }
  process.exitCode = 1;
  console.error(`${folder}: ${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return 'FAILED';
};

/** The command that runs a program on a version of Node. */
export const onNode = (version: string, ...args: readonly string[]): readonly string[] => [
  'npx',
  '--yes',
  '--package',
  `node@${version}`,
  '--',
  'node',
  ...args,
];
