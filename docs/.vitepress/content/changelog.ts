import { list, read } from './repository.ts';
import { PACKAGES } from './sources.ts';

const CHANGESET = /^---\n(.*?)\n---\n+(.*)$/s;

/** Each changeset that is not in a release yet, by package, as an item of a list. */
const unreleased = (name: string): string[] =>
  list('.changeset/*.md').flatMap((path) => {
    const [, packages = '', text = ''] = CHANGESET.exec(read(path)) ?? [];
    return packages.includes(`@confab/${name}"`) || packages.includes(`@confab/${name}'`)
      ? [`- ${text.trim().replaceAll('\n', '\n  ')}`]
      : [];
  });

/** The released versions of a package, newest first: its CHANGELOG.md without the heading. */
const released = (name: string): string =>
  list(`packages/${name}/CHANGELOG.md`)
    .map((path) =>
      read(path)
        .replace(/^# .*\n/, '')
        .replaceAll(/^#/gm, '##')
        .trim(),
    )
    .join('');

/** The page of changes: those of the next release, and then those of each version. */
export const changelog = (): string => {
  const sections = PACKAGES.map((name) => {
    const next = unreleased(name);
    const parts = [next.length > 0 ? `### Not released yet\n\n${next.join('\n')}` : '', released(name)];
    return `## @confab/${name}\n\n${parts.filter(Boolean).join('\n\n')}`;
  });
  return `# Changelog\n\nThe three packages share one version.\n\n${sections.join('\n\n')}\n`;
};
