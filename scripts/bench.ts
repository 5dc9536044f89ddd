/** Runs the benchmarks of packages. Each installs its own peers first. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, program } from 'commander';

const PACKAGES = join(import.meta.dirname, '..', 'packages');
/** The folder of a benchmark, which is a workspace of its own, so that its peers are installed nowhere else. */
const folderOf = (name: string): string => join(PACKAGES, name, 'bench');
const known = readdirSync(PACKAGES).filter((name) => existsSync(join(folderOf(name), 'package.json')));

program
  .name('pnpm bench')
  .description('Compares packages with their peers, and exits with 1 if a floor is missed.')
  .addArgument(new Argument('[packages...]', 'packages to measure').choices(known).default(known, 'all'))
  .option('--write', 'write the results into docs/benchmarks')
  .showHelpAfterError('See pnpm bench --help.')
  .parse();

const { write = false } = program.opts<{ write?: true }>();
const [names = known] = program.processedArgs as [string[]?];

const pnpm = (folder: string, ...args: string[]): boolean =>
  spawnSync('pnpm', args, { cwd: folder, stdio: 'inherit' }).status === 0;

const failed = names.filter((name) => {
  console.log(`\n# ${name}\n`);
  const folder = folderOf(name);
  return !(
    pnpm(folder, 'install', '--loglevel=error') &&
    pnpm(folder, '--silent', 'start', ...(write ? ['--write'] : []))
  );
});
if (failed.length > 0) {
  console.error(`\nThese benchmarks failed or missed a floor: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
