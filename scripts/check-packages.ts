/** Packs each package as it would be published, and checks the tarballs: their files, exports and types. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const PACKAGES = ['client', 'webhooks', 'mock'];
const ALLOWED = /^package\/(?:dist\/.+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;

const run = (command: string, args: string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const problems: string[] = [];

for (const name of PACKAGES) {
  const folder = join('packages', name);
  const target = mkdtempSync(join(tmpdir(), 'confab-pack-'));
  try {
    run('pnpm', ['pack', '--pack-destination', target], folder);
    const [file = ''] = readdirSync(target);
    const tarball = join(target, file);

    for (const entry of run('tar', ['tzf', tarball], '.').trim().split('\n')) {
      if (!ALLOWED.test(entry)) problems.push(`${name}: the tarball should not hold ${entry}`);
    }
    const { pkg, messages } = await publint({
      strict: true,
      pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer },
    });
    problems.push(...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg)}`));

    try {
      run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], '.');
    } catch (error) {
      problems.push(`${name}: attw:\n${(error as { stdout: string }).stdout}`);
    }
    console.log(`${file}: checked`);
  } finally {
    rmSync(target, { recursive: true });
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
