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

/** Lines of a file that a change has added or rewritten. */
export interface ChangedLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the output of `git diff --unified=0`. */
export const parseDiff = (diff: string): ChangedLines[] => {
  const changes: ChangedLines[] = [];
  let path = '';
  /** Lines of a hunk that are still to come: they may look like headers. */
  let content = 0;
  for (const line of diff.split('\n')) {
    if (content > 0) {
      content -= 1;
      continue;
    }
    path = /^\+\+\+ b\/(.+)$/.exec(line)?.[1] ?? path;
    const [hunk, removed = 1, from, added = 1] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (hunk === undefined) {
      continue;
    }
    content = Number(removed) + Number(added);
    if (Number(added) > 0) {
      changes.push({ path, from: Number(from), to: Number(from) + Number(added) - 1 });
    }
  }
  return changes;
};

/**
 * Lists the lines that have changed since a commit. Changes that are not committed count too.
 *
 * @param since The commit; by default, where the branch left main.
 * @returns Undefined when there is no commit to compare with, as in a clone of the last commit alone.
 */
export const changedLines = (since: string | undefined): ChangedLines[] | undefined => {
  const base = since === undefined ? branchPoint() : commitOf(since);
  return base === undefined
    ? undefined
    : parseDiff(
        git('diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-renames', '--diff-filter=d', base),
      );
};
