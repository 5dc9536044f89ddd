import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds the original files of a package while it is packed with other links. */
const SAVED = '.saved';

/** Saves a file of the package until `restore()`. */
export const save = (file: string): void => {
  mkdirSync(SAVED, { recursive: true });
  copyFileSync(file, join(SAVED, file));
};

/** Restores the saved files, and removes the copied docs. Does nothing if nothing was packed. */
export const restore = (): void => {
  rmSync('docs', { recursive: true, force: true });
  for (const file of existsSync(SAVED) ? readdirSync(SAVED) : []) {
    renameSync(join(SAVED, file), file);
  }
  rmSync(SAVED, { recursive: true, force: true });
};
