/**
 * Run in a package after its build: puts the sources beside what was built from them, so that the maps of the tarball
 * lead there. "Go to definition" then shows the code, and not its declarations.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

cpSync('src', 'dist/src', { recursive: true });

for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.map')) continue;
  const path = join('dist', file);
  const map: { sources: string[] } = JSON.parse(readFileSync(path, 'utf8'));
  const folder = dirname(path);
  map.sources = map.sources.map((source) => {
    const inSource = relative('src', resolve(folder, source));
    return inSource.startsWith('..') ? source : relative(folder, join('dist/src', inSource));
  });
  writeFileSync(path, JSON.stringify(map));
}
