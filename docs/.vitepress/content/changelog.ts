import { list, read } from './repository.ts';
import { PACKAGES } from './sources.ts';

/** The texts of the changesets that are not in a release yet. */
const unreleased = (): string[] =>
  list('.changeset/*.md').map((path) =>
    read(path)
      .replace(/^---\n.*?\n---\n/s, '')
      .trim(),
  );

/** The released versions of a package, newest first: its CHANGELOG.md without the heading. */
const released = (name: string): string[] =>
  list(`packages/${name}/CHANGELOG.md`).map(
    (path) =>
      `## @confab/${name}\n\n${read(path)
        .replace(/^# .*\n/, '')
        .replaceAll(/^#/gm, '##')
        .trim()}`,
  );

/** The changelog as a page: the changes of the next release, then those of each version. */
export const changelog = (): string => {
  const next = unreleased();
  return [
    '# Changelog\n\nThe three packages share one version.',
    ...(next.length > 0 ? ['## Not released yet', ...next] : []),
    ...PACKAGES.flatMap(released),
  ].join('\n\n');
};
