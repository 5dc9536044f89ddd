import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Finds the packages whose declarations a declaration file imports, directly or through other files.
 *
 * @param file The declaration file that users import.
 */
export const foreignTypesOf = (file: string, seen = new Set<string>()): Set<string> => {
  const foreign = new Set<string>();
  seen.add(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
    if (!fileName.startsWith('.')) {
      foreign.add(fileName);
      continue;
    }
    const next = join(dirname(file), fileName.replace(/\.[jt]s$/, '.d.ts'));
    if (!seen.has(next) && existsSync(next)) {
      foreignTypesOf(next, seen).forEach((name) => {
        foreign.add(name);
      });
    }
  }
  return foreign;
};
