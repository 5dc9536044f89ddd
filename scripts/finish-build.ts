/**
 * Run in a package after its build.
 *
 * Puts the sources beside what was built from them, so that the maps of the tarball lead there. "Go to definition" then
 * shows the code, and not its declarations. And writes the licenses of all packages whose code was bundled in, whose part
 * of the maps is left out. Commands are published without maps.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { SourceMap } from './packages/own-map.ts';
import { ownMap } from './packages/own-map.ts';

const licenses = new Map<string, string>();

/** @throws {@link Error} When a package whose code we publish has no license. */
const addLicense = (source: string): void => {
  const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(source) ?? [];
  if (folder === undefined || name === undefined || licenses.has(name)) {
    return;
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} is bundled, but has no license file in ${folder}`);
  }
  licenses.set(name, readFileSync(join(folder, file), 'utf8').trim());
};

cpSync('src', 'dist/src', { recursive: true });

for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.map')) {
    continue;
  }
  const path = join('dist', file);
  const map: SourceMap = ownMap(JSON.parse(readFileSync(path, 'utf8')));
  const folder = dirname(path);
  for (const source of map.sources) {
    addLicense(resolve(folder, source));
  }
  if (folder === join('dist', 'cli')) {
    // A command prints no stack traces, and its map would be larger than the command.
    rmSync(path);
    const program = path.slice(0, -'.map'.length);
    writeFileSync(program, readFileSync(program, 'utf8').replace(/(?:\/\/# sourceMappingURL=.*\s*)+$/, ''));
    continue;
  }
  const sources = map.sources.map((source) => {
    const inSource = relative('src', resolve(folder, source));
    return inSource.startsWith('..') ? source : relative(folder, join('dist/src', inSource));
  });
  writeFileSync(path, JSON.stringify({ ...map, sources }));
}

if (licenses.size > 0) {
  const notices = [...licenses]
    .sort()
    .map(([name, license]) => `${name}\n${'-'.repeat(name.length)}\n\n${license}\n`);
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices.join('\n\n'));
}
