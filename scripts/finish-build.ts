/**
 * Run in a package after its build.
 *
 * Copies the sources next to the built files, so that the maps in the tarball lead to them. "Go to definition" then shows
 * the code instead of its declarations. The maps do not contain the code; a map that is still larger than its code is left
 * out. This script also leaves bundled packages out of the maps, and writes their licenses.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { SourceMap } from './packages/own-map.ts';
import { isForeign, ownMap } from './packages/own-map.ts';

/** A command prints no stack traces, and the inspector is minified. */
const WITHOUT_MAPS = ['cli', 'inspector'];

const licenses = new Map<string, string>();

/** @throws An {@link Error} when a package whose code we publish has no license. */
const addLicense = (source: string): void => {
  const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(source) ?? [];
  if (folder === undefined || name === undefined || licenses.has(name)) {
    return;
  }
  const files = readdirSync(folder).filter((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  if (files.length === 0) {
    throw new Error(`${name} is bundled, but has no license file in ${folder}`);
  }
  licenses.set(name, files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n'));
};

/** Copies one of our sources next to what was built from it, and returns its path there. */
const copySource = (source: string): string => {
  const path = relative('src', source);
  // The shared code is bundled into each package.
  const target = join('dist/src', path.startsWith('..') ? relative('..', source) : path);
  cpSync(source, target);
  return target;
};

for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.map')) {
    continue;
  }
  const path = join('dist', file);
  const whole: SourceMap = JSON.parse(readFileSync(path, 'utf8'));
  const map = path.endsWith('.d.ts.map') ? whole : ownMap(whole);
  const folder = dirname(path);
  for (const source of map.sources) {
    addLicense(resolve(folder, source));
  }
  const sources = map.sources.map((source) => {
    const from = resolve(folder, source);
    return isForeign(source) ? source : relative(folder, copySource(from));
  });
  const text = JSON.stringify({ ...map, sources });
  const program = path.slice(0, -'.map'.length);
  const code = readFileSync(program, 'utf8');
  if (text.length > code.length || WITHOUT_MAPS.some((part) => path.startsWith(join('dist', part)))) {
    rmSync(path);
    writeFileSync(program, code.replace(/(?:\/\/# sourceMappingURL=.*\s*)+$/, ''));
  } else {
    writeFileSync(path, text);
  }
}

if (licenses.size > 0) {
  const notices = [...licenses]
    .sort()
    .map(([name, license]) => `${name}\n${'-'.repeat(name.length)}\n\n${license}\n`);
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices.join('\n\n'));
}
