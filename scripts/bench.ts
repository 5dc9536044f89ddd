/**
 * Runs the benchmarks of all packages, or of those named as arguments. Each installs its own peers first. With `--write`,
 * the results replace those in docs/benchmarks.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..', 'packages');
const all = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'bench', 'package.json')));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const flags = values.write ? ['--write'] : [];
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. Available: ${all.join(', ')}.`);
  process.exit(2);
}

const pnpm = (folder: string, ...args: string[]): boolean => {
  // The folder of a benchmark is a workspace of its own, so this installs nothing elsewhere.
  const { status } = spawnSync('pnpm', args, { cwd: folder, stdio: 'inherit' });
  return status === 0;
};

const missed: string[] = [];
for (const name of positionals.length > 0 ? positionals : all) {
  const folder = join(ROOT, name, 'bench');
  console.log(`\n# ${name}\n`);
  if (!pnpm(folder, 'install', '--loglevel=error') || !pnpm(folder, '--silent', 'start', ...flags)) {
    missed.push(name);
  }
}

if (missed.length > 0) {
  console.error(`\nThese benchmarks failed or missed a limit: ${missed.join(', ')}.`);
  process.exit(1);
}
