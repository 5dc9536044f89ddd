import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { IDLE_COMMANDS } from './support/commands-that-do-not-run.ts';
import { list, ROOT, read } from './support/repository.ts';
import { commandsProvenBy, findShellCommands, shellCommands } from './support/shell-commands.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifest = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest;

const manifests = list('{packages,examples}/*/package.json', 'docs/package.json').map((path) =>
  manifest(path.replace('package.json', '')),
);

/** Packages that ours are, need or are tested with. */
const known = new Set(
  manifests.flatMap(({ name, dependencies, devDependencies, peerDependencies }) => [
    name,
    ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  ]),
);

test('every command runs in a test, or a list says why it does not', () => {
  expect(shellCommands.length).toBeGreaterThan(60);
  const unproven = commandsProvenBy('listed').filter(
    ({ text }) => !IDLE_COMMANDS.some(({ start }) => text.startsWith(start)),
  );
  expect(unproven).toEqual([]);
});

test.for(IDLE_COMMANDS)('$start is in a document', ({ start }) => {
  expect(commandsProvenBy('listed').some(({ text }) => text.startsWith(start))).toBe(true);
});

test.for(commandsProvenBy('installs'))(
  '$document: $text installs packages that the tests know',
  ({ text }) => {
    const names = text
      .split(' ')
      .slice(2)
      .filter((word) => !word.startsWith('-'));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  },
);

/** The words of a command after `npx --yes pnpm@12`, its flags and those of the filter left out. */
const scriptOf = (text: string): { readonly scripts: Manifest['scripts']; readonly script: string } => {
  const words = text.split(' ').slice(3);
  const filter = words.indexOf('--filter');
  const name = filter < 0 ? undefined : words.splice(filter, 2)[1];
  const { scripts } =
    name === undefined ? manifest('') : (manifests.find((each) => each.name === name) ?? { scripts: {} });
  return { scripts, script: words.find((word) => !word.startsWith('--')) ?? '' };
};

test.for(commandsProvenBy('runs a script'))('$document: $text names a script', ({ document, text }) => {
  const { scripts, script } = scriptOf(text);
  if (script === 'exec') {
    const folder = document.replace('README.md', '');
    expect(existsSync(`${ROOT}${folder}test`)).toBe(true);
    expect(text).toMatch(new RegExp(`vitest run --project ${folder.split('/')[1]}$`));
    return;
  }
  expect(script === 'install' ? ['install'] : Object.keys(scripts ?? {})).toContain(script);
});

test('commands are found without their comments, and as one text when they are continued', () => {
  const markdown =
    '   ```sh\n   # a comment\n   npm install a && npm install b  # twice\n   curl \\\n     -d x#y\n   ```\n';
  expect(findShellCommands('guide.md', markdown).map(({ text }) => text)).toEqual([
    'npm install a',
    'npm install b',
    'curl       -d x#y',
  ]);
});
