/** Runs in a package after it is packed: restores the files that `prepack.ts` has changed. */
import { restore } from './saved-files.ts';

restore();
