/** Run in a package after it is packed: puts its files back as they were before `prepack.ts`. */
import { restore } from './saved-files.ts';

restore();
