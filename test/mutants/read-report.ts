import { readFileSync } from 'node:fs';

/** A mutant, as Stryker's JSON report describes it. */
interface Mutant {
  /** `Killed`, `Timeout`, `Survived`, `NoCoverage`, `Ignored`, or an error. */
  readonly status: string;
  readonly statusReason?: string | undefined;
  readonly mutatorName?: string | undefined;
  readonly replacement?: string | undefined;
  readonly location?: { readonly start: { readonly line: number } } | undefined;
}

type Files = Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;

/** Counts of mutants. */
export interface Counts {
  readonly killed: number;
  readonly survived: number;
  readonly ignored: number;
}

/** The mutants of one folder, counted. */
export interface Score extends Counts {
  readonly folder: string;
}

/** What became of one mutant. */
interface Found extends Mutant {
  readonly path: string;
}

/** The mutants of a package. */
export interface Report {
  readonly scores: readonly Score[];
  /** Those that do not count, each with the reason. */
  readonly equivalents: readonly { readonly path: string; readonly reason: string }[];
  readonly survivors: readonly Found[];
}

const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

/** Percent of the mutants that tests noticed; undefined if there is none. */
export const percentOf = ({ killed, survived }: Counts): number | undefined =>
  killed + survived === 0 ? undefined : (killed / (killed + survived)) * 100;

/** Adds up counts. */
export const sumOf = (counts: readonly Counts[]): Counts => {
  const sum = (field: keyof Counts) => counts.reduce((total, each) => total + each[field], 0);
  return { killed: sum('killed'), survived: sum('survived'), ignored: sum('ignored') };
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Counts the mutants of a report by folder. */
export const toReport = (files: Files): Report => {
  const all: Found[] = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, { mutants }]) => mutants.map((mutant) => ({ ...mutant, path })));
  const count = (folder: string, statuses: readonly string[]) =>
    all.filter(({ path, status }) => folderOf(path) === folder && statuses.includes(status)).length;
  return {
    scores: [...new Set(all.map(({ path }) => folderOf(path)))].map((folder) => ({
      folder,
      killed: count(folder, KILLED),
      survived: count(folder, SURVIVED),
      ignored: count(folder, ['Ignored']),
    })),
    equivalents: all.flatMap(({ path, status, statusReason = 'No reason is given.' }) =>
      status === 'Ignored' ? [{ path, reason: statusReason }] : [],
    ),
    survivors: all.filter(({ status }) => SURVIVED.includes(status)),
  };
};

/** Reads the report of a package that Stryker wrote. */
export const readReport = (file: string): Report => {
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files: Files };
  return toReport(files);
};

/** Describes each survivor in a line. */
export const describeSurvivors = ({ survivors }: Report): string[] =>
  survivors.map(
    ({ path, location, mutatorName, replacement = '', status }) =>
      `${path}:${location?.start.line} ${status === 'NoCoverage' ? 'no test runs it' : mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`,
  );
