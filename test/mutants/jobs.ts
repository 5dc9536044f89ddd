import { matchesGlob } from 'node:path';
import client from '../../packages/client/stryker.config.ts';
import mock from '../../packages/mock/stryker.config.ts';
import webhooks from '../../packages/webhooks/stryker.config.ts';
import type { MutantGroup } from '../../stryker.shared.ts';

/** The groups of files of each package. */
const GROUPS: Readonly<Record<string, readonly MutantGroup[]>> = { client, webhooks, mock };

/** The packages whose mutants are tested. */
export const PACKAGES: readonly string[] = Object.keys(GROUPS);

/** One run of Stryker. */
export interface Job extends MutantGroup {
  readonly name: string;
}

/** The path of a file, also when some of its lines are named: `src/walk.ts:12-15`. */
const pathOf = (file: string): string => file.replace(/:\d+-\d+$/, '');

const isIn = ({ mutate }: MutantGroup, file: string): boolean =>
  mutate.some((pattern) => matchesGlob(pathOf(file), pattern));

/** Whether some group has this file. */
export const isMutated = (name: string, path: string): boolean =>
  GROUPS[name]?.some((group) => isIn(group, path)) ?? false;

/** The runs that a package needs: for these files or lines of files, or for all. */
export const jobsOf = (name: string, files?: readonly string[]): Job[] =>
  (GROUPS[name] ?? []).flatMap((group) => {
    const mutate = files?.filter((path) => isIn(group, path)) ?? group.mutate;
    return mutate.length === 0 ? [] : [{ ...group, name, mutate }];
  });
