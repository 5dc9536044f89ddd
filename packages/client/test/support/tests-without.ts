import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..');

/** Lists the tests of the client whose source does not match, as paths below the package. */
export const testsWithout = (pattern: RegExp): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.test.ts') && !pattern.test(readFileSync(join(FOLDER, name), 'utf8')))
    .map((name) => `test/${name}`);
