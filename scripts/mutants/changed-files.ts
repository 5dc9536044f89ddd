import { execFileSync } from 'node:child_process';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns the id of the commit that a name stands for; undefined if there is none. */
export const commitOf = (name: string): string | undefined => {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    return undefined;
  }
};

/** Returns where the branch left main; on main itself, the commit before the last one. */
const branchPoint = (): string | undefined => {
  const main = commitOf('main') ?? commitOf('origin/main');
  const base = main && git('merge-base', 'HEAD', main);
  return base === commitOf('HEAD') ? commitOf('HEAD^') : base;
};

/** A file with the number of lines that were added to it or removed from it. */
export interface ChangedFile {
  readonly path: string;
  readonly lines: number;
}

/**
 * Lists the files that have changed since a commit, those with the most changed lines first. Changes that are not
 * committed count too.
 *
 * @param since The commit; by default, where the branch left main.
 * @returns Undefined when there is no commit to compare with, as in a clone of the last commit alone.
 */
export const changedFiles = (since: string | undefined): ChangedFile[] | undefined => {
  const base = since === undefined ? branchPoint() : commitOf(since);
  return base === undefined
    ? undefined
    : git('diff', '--numstat', '--no-renames', '--diff-filter=d', '-z', base)
        .split('\0')
        .filter(Boolean)
        .map((line) => line.split('\t'))
        .map(([added, removed, path = '']) => ({ path, lines: Number(added) + Number(removed) }))
        .sort((a, b) => b.lines - a.lines);
};
