import { readFileSync } from 'node:fs';

/** A mutant, as Stryker's JSON report describes it. */
interface Mutant {
  /** `Killed`, `Timeout`, `Survived`, `NoCoverage`, `Ignored`, or an error. */
  readonly status: string;
  readonly statusReason?: string | undefined;
}

type Files = Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;

/** The mutants of one folder, counted. */
export interface Score {
  readonly folder: string;
  readonly killed: number;
  readonly survived: number;
  readonly ignored: number;
}

/** A mutant that a comment in the code calls equivalent. */
export interface Equivalent {
  readonly path: string;
  readonly reason: string;
}

export interface Report {
  readonly scores: readonly Score[];
  readonly equivalents: readonly Equivalent[];
}

/** Percent of the mutants that tests noticed; undefined if there is none. */
export const percentOf = ({ killed, survived }: Pick<Score, 'killed' | 'survived'>): number | undefined =>
  killed + survived === 0 ? undefined : (killed / (killed + survived)) * 100;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Counts the mutants of a report by folder. */
export const toReport = (files: Files): Report => {
  const all = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, { mutants }]) => mutants.map((mutant) => ({ ...mutant, path })));
  const count = (folder: string, ...statuses: string[]) =>
    all.filter(({ path, status }) => folderOf(path) === folder && statuses.includes(status)).length;
  return {
    scores: [...new Set(all.map(({ path }) => folderOf(path)))].map((folder) => ({
      folder,
      killed: count(folder, 'Killed', 'Timeout'),
      survived: count(folder, 'Survived', 'NoCoverage'),
      ignored: count(folder, 'Ignored'),
    })),
    equivalents: all.flatMap(({ path, status, statusReason = 'No reason is given.' }) =>
      status === 'Ignored' ? [{ path, reason: statusReason }] : [],
    ),
  };
};

/** Reads the report of a package that Stryker wrote. */
export const readReport = (file: string): Report => {
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files: Files };
  return toReport(files);
};
