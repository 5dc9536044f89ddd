import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';
import { replaceOnce } from './mutant.ts';

/** The root of the repository. */
const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Changes the files of a mutant as this thread imports them; the files themselves stay as they are. */
export const putBack = ({ replacements }: Mutant): void => {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = url.startsWith('file:') ? fileURLToPath(url) : url;
      const mine = replacements.filter((each) => join(ROOT, each.file) === file);
      if (mine.length === 0) {
        return loaded;
      }
      const source =
        typeof loaded.source === 'string'
          ? loaded.source
          : new TextDecoder().decode(loaded.source as Uint8Array);
      return { ...loaded, source: mine.reduce(replaceOnce, source) };
    },
  });
};
