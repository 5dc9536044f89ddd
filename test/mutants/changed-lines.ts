import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns the id of the commit that a name stands for; undefined if there is none. */
export const commitOf = (name: string, folder = ROOT): string | undefined => {
  try {
    return git(folder, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    return undefined;
  }
};

/** Returns where the branch left main; on main itself, the commit before the last one. */
const branchPoint = (folder: string): string | undefined => {
  const main = commitOf('main', folder) ?? commitOf('origin/main', folder);
  const base = main && git(folder, 'merge-base', 'HEAD', main);
  return base === commitOf('HEAD', folder) ? commitOf('HEAD^', folder) : base;
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

/** The output that `parseDiff()` reads, whatever the settings of the user are. */
const FLAGS = [
  '--unified=0',
  '--no-color',
  '--no-ext-diff',
  '--no-renames',
  '--diff-filter=d',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Lists the files that git neither tracks nor ignores. */
const newFiles = (folder: string): ChangedLines[] =>
  git(folder, 'ls-files', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => ({ path, from: 1, to: readFileSync(join(folder, path), 'utf8').split('\n').length }));

/**
 * Lists the lines that have changed since a commit. Changes that are not committed count too, and new files.
 *
 * @param since The commit; by default, where the branch left main.
 * @param folder The repository.
 * @returns Undefined when there is no commit to compare with, as in a clone of the last commit alone.
 */
export const changedLines = (since: string | undefined, folder = ROOT): ChangedLines[] | undefined => {
  const base = since === undefined ? branchPoint(folder) : commitOf(since, folder);
  return base === undefined
    ? undefined
    : [...parseDiff(git(folder, 'diff', ...FLAGS, base)), ...newFiles(folder)];
};
