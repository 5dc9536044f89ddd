import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Builds the page of the inspector unless this checkout has it. The published package contains the page. */
export const buildInspector = async (): Promise<void> => {
  const manifest = createRequire(import.meta.url).resolve('@confab/mock/package.json');
  const folder = dirname(manifest);
  if (existsSync(join(folder, 'dist/inspector/index.html'))) {
    return;
  }
  console.log('\nBuilding the page of the inspector, which takes a few seconds.');
  const vite = join(dirname(createRequire(manifest).resolve('vite/package.json')), 'bin/vite.js');
  const args = [vite, 'build', 'inspector', '--logLevel', 'warn'];
  const build = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(build, 'exit');
  if (code !== 0) {
    throw new Error('The page of the inspector could not be built. Run npx --yes pnpm@12 build to see why.');
  }
};
