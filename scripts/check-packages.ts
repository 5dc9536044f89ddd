/** Packs each package as it would be published, and checks the tarballs: their files, links, exports and types. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES, pack, run } from './pack.ts';
import { foreignTypesOf } from './packages/foreign-types.ts';
import { brokenLinksIn } from './packages/relative-links.ts';
import { undocumentedIn } from './packages/undocumented.ts';

const ALLOWED =
  /^package\/(?:dist\/.+|openapi\.json|docs\/.+\.md|SKILL\.md|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;

const NOTICES = 'package/dist/THIRD-PARTY-NOTICES.txt';

const problems: string[] = [];

/** Licenses must be distributed with the code. */
const missingNotices = (tarball: string, entries: Set<string>, bundled: Set<string>): string[] => {
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

for (const name of PACKAGES) {
  const tarball = pack(name);

  const bundled = new Set<string>();
  const entries = new Set(run('tar', ['tzf', tarball]).trim().split('\n'));
  for (const entry of entries) {
    if (!ALLOWED.test(entry)) {
      problems.push(`${name}: the tarball must not contain ${entry}`);
    }
    if (!entry.endsWith('.map')) {
      continue;
    }
    const map = run('tar', ['xzOf', tarball, entry]);
    const code = run('tar', ['xzOf', tarball, entry.slice(0, -'.map'.length)]);
    if (map.length > code.length) {
      problems.push(`${name}: ${entry} is larger than its code: ${map.length} > ${code.length}`);
    }
    const { sources }: { sources: string[] } = JSON.parse(map);
    for (const source of sources) {
      const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (dependency !== undefined) {
        bundled.add(dependency);
      } else if (!entries.has(posix.join(dirname(entry), source))) {
        problems.push(`${name}: ${entry} refers to ${source}, which is not in the tarball`);
      }
    }
  }
  problems.push(...missingNotices(tarball, entries, bundled).map((problem) => `${name}: ${problem}`));

  const { pkg, messages } = await publint({
    strict: true,
    pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer },
  });
  problems.push(...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg)}`));
  if (pkg.main !== pkg.exports['.'].default) {
    problems.push(`${name}: main must be the default of exports["."], because Parcel reads nothing else`);
  }

  try {
    run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']);
  } catch (error) {
    problems.push(`${name}: attw:\n${(error as { stdout: string }).stdout}`);
  }

  const folder = mkdtempSync(join(tmpdir(), 'confab-types-'));
  run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
  problems.push(...brokenLinksIn(folder).map((problem) => `${name}: ${problem}`));
  problems.push(
    ...undocumentedIn(folder).map(
      (place) => `${name}: no doc comment for ${place}. Editors show it on hover.`,
    ),
  );
  const { dependencies = {}, peerDependencies = {}, exports } = pkg;
  const installed = [...Object.keys({ ...dependencies, ...peerDependencies }), 'node:', pkg.name];
  for (const { types } of Object.values(exports) as { types?: string }[]) {
    const foreign = types === undefined ? [] : [...foreignTypesOf(join(folder, types))];
    problems.push(
      ...foreign
        // Those of the client would be loaded by the compiler of every program that makes a call.
        .filter(
          (other) =>
            (name === 'client' && types === './dist/index.d.ts') ||
            !installed.some((known) => other.startsWith(known)),
        )
        .map((other) => `${name}: ${types} imports the declarations of ${other}`),
    );
  }
  rmSync(folder, { recursive: true });
  console.log(`${basename(tarball)}: checked`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
