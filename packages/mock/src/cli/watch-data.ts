import { statSync } from 'node:fs';
import { reasonOf } from './read-file.ts';

/** Milliseconds between two looks at the file. Unlike events of the system, looks also notice changes in containers. */
const EVERY = 100;

/** Looks without the file before that is reported: many editors delete or empty a file before they write it. */
const MISSING_LOOKS = 3;

/** Tells versions of a file apart; `undefined` if it is missing or empty. */
export const versionOf = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && stats.size > 0n
    ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
    : undefined;
};

interface WatchOptions {
  readonly path: string;
  /** The version that was loaded last, read before the file itself. */
  readonly loaded: string | undefined;
  /** Loads the file. Throws if it is invalid. */
  readonly load: () => Promise<void>;
  /** Called with the reason when a version can't be loaded. */
  readonly warn: (text: string) => void;
}

/** Loads a file again whenever it has changed, until the returned function is called. */
export const watchData = ({ path, loaded, load, warn }: WatchOptions): (() => void) => {
  let known = loaded;
  let missing = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const keep = (reason: string) => warn(`The mock keeps its rows: ${reason}`);
  const look = async (): Promise<void> => {
    const version = versionOf(path);
    missing = version === undefined ? missing + 1 : 0;
    if (missing === MISSING_LOOKS) {
      known = undefined;
      keep(`${path} is missing or empty. Its rows are loaded once it is there again.`);
    }
    if (version !== undefined && version !== known) {
      // Set before the file is read: if it changes meanwhile, the next look loads it once more.
      known = version;
      await load();
    }
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => keep(reasonOf(error)))
        .finally(() => {
          if (!ended) {
            lookLater();
          }
        });
    }, EVERY).unref();
  };
  lookLater();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
};
