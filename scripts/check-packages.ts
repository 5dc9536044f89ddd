/** Packs each package as it would be published, and checks the tarballs: their files, exports and types. */
import { readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES, pack, run } from './pack.ts';

const ALLOWED = /^package\/(?:dist\/.+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;

const problems: string[] = [];

for (const name of PACKAGES) {
  const tarball = pack(name);

  const entries = new Set(run('tar', ['tzf', tarball]).trim().split('\n'));
  for (const entry of entries) {
    if (!ALLOWED.test(entry)) problems.push(`${name}: the tarball should not hold ${entry}`);
    if (!entry.endsWith('.map')) continue;
    const { sources, sourcesContent }: { sources: string[]; sourcesContent?: (string | null)[] } = JSON.parse(
      run('tar', ['xzOf', tarball, entry]),
    );
    for (const [index, source] of sources.entries()) {
      // What was bundled in from elsewhere is in the map itself.
      if (entries.has(posix.join(dirname(entry), source)) || sourcesContent?.[index]) continue;
      problems.push(`${name}: ${entry} leads to ${source}, which is not in the tarball`);
    }
  }
  const { pkg, messages } = await publint({
    strict: true,
    pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer },
  });
  problems.push(...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg)}`));

  try {
    run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']);
  } catch (error) {
    problems.push(`${name}: attw:\n${(error as { stdout: string }).stdout}`);
  }
  console.log(`${basename(tarball)}: checked`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
