/** Run in a package after it is packed: puts its files back as they were before `prepack.ts`. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { SAVED } from './saved-readme.ts';

rmSync('docs', { recursive: true, force: true });
if (existsSync(SAVED)) {
  renameSync(SAVED, 'README.md');
}
