import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps the files of a package as they are in the repository while it is packed with other links. */
const SAVED = '.saved';

/** Keeps a file of the package until `restore()`. */
export const save = (file: string): void => {
  mkdirSync(SAVED, { recursive: true });
  copyFileSync(file, join(SAVED, file));
};

/** Puts back what was saved, and removes the copied docs. Does nothing when nothing was packed. */
export const restore = (): void => {
  rmSync('docs', { recursive: true, force: true });
  for (const file of existsSync(SAVED) ? readdirSync(SAVED) : []) {
    renameSync(join(SAVED, file), file);
  }
  rmSync(SAVED, { recursive: true, force: true });
};
