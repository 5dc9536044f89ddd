/** Run in a package after it is packed: puts its README back as it was before `prepack.ts`. */
import { existsSync, renameSync } from 'node:fs';
import { SAVED } from './saved-readme.ts';

if (existsSync(SAVED)) {
  renameSync(SAVED, 'README.md');
}
