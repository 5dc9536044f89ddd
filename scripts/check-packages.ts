/** Packs each package as a release does, and checks the tarballs: their files, links, exports and types. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES, pack, run } from './pack.ts';
import { foreignTypesOf } from './packages/foreign-types.ts';
import { brokenLinksIn, relativeLinks } from './packages/relative-links.ts';
import { undocumentedIn } from './packages/undocumented.ts';
import { PACKED_DOCS } from './publishing/packed-docs.ts';

const ALLOWED =
  /^package\/(?:dist\/.+|(?:data\.schema|openapi)\.json|docs\/.+\.md|SKILL\.md|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;

const NOTICES = 'package/dist/THIRD-PARTY-NOTICES.txt';

const REPOSITORY = 'example/confab';
const OWN_LINK = new RegExp(`https://github\\.com/${REPOSITORY}/(?:blob|raw)/main/([^)#\\s]+)`, 'g');

interface Manifest {
  readonly repository?: { readonly directory: string; readonly url: string };
  readonly bugs?: unknown;
  readonly homepage?: unknown;
}

/** Checks what only a release adds: the address of the repository, in the manifest and in the links of the README. */
const checkOrigin = (name: string, { repository, bugs, homepage }: Manifest, readme: string): string[] => {
  const isNamed = repository?.directory === `packages/${name}` && repository.url.includes(REPOSITORY);
  const links = [...readme.matchAll(OWN_LINK)].map(([, path = '']) => path);
  return [
    ...(isNamed && bugs && homepage ? [] : ['the packed manifest must say where the package comes from']),
    ...(links.length > 0 ? [] : ['the packed README has no link to the repository']),
    ...relativeLinks(readme).map((link) => `the packed README has the relative link ${link}`),
    ...links
      .filter((path) => !existsSync(path))
      .map((path) => `the packed README has a link to ${path}, which does not exist`),
  ];
};

/** Checks that publishing fails early without the address. npm would refuse a package only after others are published. */
const checkRefusal = (name: string): string[] => {
  const { status, stdout, stderr } = spawnSync('pnpm', ['publish', '--dry-run', '--no-git-checks'], {
    cwd: `packages/${name}`,
    env: { ...process.env, GITHUB_REPOSITORY: '' },
    encoding: 'utf8',
  });
  return status !== 0 && `${stdout}${stderr}`.includes('GITHUB_REPOSITORY is not set')
    ? []
    : ['publishing without GITHUB_REPOSITORY must stop and say why'];
};

/** Finds bundled packages whose licenses are missing, which must be distributed with the code. */
const findMissingNotices = (tarball: string, entries: Set<string>, bundled: Set<string>): string[] => {
  const text = entries.has(NOTICES) ? `\n${run('tar', ['xzOf', tarball, NOTICES])}` : '';
  return [...bundled]
    .filter((dependency) => {
      const [, after = ''] = text.split(`\n${dependency}\n${'-'.repeat(dependency.length)}\n`);
      const [license = ''] = after.split(/\n[^\n]+\n-{2,}\n/);
      // Some licenses have no title, and begin with the copyright.
      return !(
        /Copyright/i.test(license) && /Licen[cs]e|Permission to use|Redistribution and use/i.test(license)
      );
    })
    .map((dependency) => `code of ${dependency} is bundled, but its license is not in ${NOTICES}`);
};

/** Checks the files of a tarball, their maps, and the licenses of what is bundled in them. */
const checkFiles = (tarball: string): string[] => {
  const bundled = new Set<string>();
  const entries = new Set(run('tar', ['tzf', tarball]).trim().split('\n'));
  const problems = [...entries]
    .filter((entry) => !ALLOWED.test(entry))
    .map((entry) => `the tarball must not contain ${entry}`);
  for (const entry of [...entries].filter((each) => each.endsWith('.map'))) {
    const map = run('tar', ['xzOf', tarball, entry]);
    const code = run('tar', ['xzOf', tarball, entry.slice(0, -'.map'.length)]);
    if (map.length > code.length) {
      problems.push(`${entry} is larger than its code: ${map.length} > ${code.length}`);
    }
    const { sources }: { sources: string[] } = JSON.parse(map);
    for (const source of sources) {
      const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (dependency !== undefined) {
        bundled.add(dependency);
      } else if (!entries.has(posix.join(dirname(entry), source))) {
        problems.push(`${entry} refers to ${source}, which is not in the tarball`);
      }
    }
  }
  return [...problems, ...findMissingNotices(tarball, entries, bundled)];
};

/** Checks that the types of a tarball resolve in each mode of module resolution. */
const checkTypes = (tarball: string): string[] => {
  try {
    run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']);
    return [];
  } catch (error) {
    return [`attw:\n${(error as { stdout: string }).stdout}`];
  }
};

const check = async (name: (typeof PACKAGES)[number]): Promise<string[]> => {
  const tarball = pack(name);
  const { pkg, messages } = await publint({
    strict: true,
    pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer },
  });
  const folder = mkdtempSync(join(tmpdir(), 'confab-types-'));
  run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
  const promised = ['SKILL.md', ...(PACKED_DOCS[name] ?? []).map((page) => `docs/${page}`)];
  const { dependencies = {}, peerDependencies = {}, exports } = pkg;
  const installed = [...Object.keys({ ...dependencies, ...peerDependencies }), 'node:', pkg.name];
  const entries = Object.values(exports) as { types?: string }[];
  const problems = [
    ...checkRefusal(name),
    ...checkFiles(tarball),
    ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...(pkg.main === exports['.'].default
      ? []
      : ['main must be the default of exports["."], because Parcel reads nothing else']),
    ...checkTypes(tarball),
    ...checkOrigin(name, pkg as Manifest, readFileSync(join(folder, 'README.md'), 'utf8')),
    ...promised.filter((path) => !existsSync(join(folder, path))).map((path) => `the tarball has no ${path}`),
    ...brokenLinksIn(folder),
    ...undocumentedIn(folder).map((place) => `no doc comment for ${place}. Editors show it on hover.`),
    ...entries.flatMap(({ types }) =>
      [...(types === undefined ? [] : foreignTypesOf(join(folder, types)))]
        // The compiler of every program that makes a call would load foreign declarations of the client.
        .filter(
          (other) =>
            (name === 'client' && types === './dist/index.d.ts') ||
            !installed.some((known) => other.startsWith(known)),
        )
        .map((other) => `${types} imports the declarations of ${other}. Tag what leads there with @internal`),
    ),
  ];
  rmSync(folder, { recursive: true });
  console.log(`${basename(tarball)}: checked`);
  return problems.map((problem) => `${name}: ${problem}`);
};

process.env.GITHUB_REPOSITORY = REPOSITORY;
const problems: string[] = [];
for (const name of PACKAGES) {
  problems.push(...(await check(name)));
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
