/** Runs the benchmarks of packages. Each installs its own peers first. */
import { spawnSync } from 'node:child_process';
import { BENCH, folderOf, parseBenchOptions } from './bench/options.ts';
import { readCommandLine } from './command/read-command-line.ts';

const { names, write } = readCommandLine(BENCH, parseBenchOptions);
const flags = write ? ['--write'] : [];

const pnpm = (folder: string, ...args: string[]): boolean => {
  // The folder of a benchmark is a workspace of its own, so this installs nothing elsewhere.
  const { status } = spawnSync('pnpm', args, { cwd: folder, stdio: 'inherit' });
  return status === 0;
};

const missed: string[] = [];
for (const name of names) {
  const folder = folderOf(name);
  console.log(`\n# ${name}\n`);
  if (!pnpm(folder, 'install', '--loglevel=error') || !pnpm(folder, '--silent', 'start', ...flags)) {
    missed.push(name);
  }
}

if (missed.length > 0) {
  console.error(`\nThese benchmarks failed or missed a limit: ${missed.join(', ')}.`);
  process.exit(1);
}
