/** Packs each package as a release does, and checks what only a release adds: URLs and absolute links, and that it stops without them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGES, pack, run } from './pack.ts';
import { brokenLinksIn, relativeLinks } from './packages/relative-links.ts';
import { PACKED_DOCS } from './publishing/packed-docs.ts';

const REPOSITORY = 'example/confab';
const OWN_LINK = new RegExp(`https://github\\.com/${REPOSITORY}/(?:blob|raw)/main/([^)#\\s]+)`, 'g');

const problems: string[] = [];

const publish = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawnSync('pnpm', ['publish', '--dry-run', '--no-git-checks', ...args], { cwd, env, encoding: 'utf8' });

for (const name of PACKAGES) {
  const folder = join('packages', name);
  const { GITHUB_REPOSITORY: _unset, ...elsewhere } = process.env;
  const refused = publish(folder, [], elsewhere);
  if (
    refused.status === 0 ||
    !`${refused.stdout}${refused.stderr}`.includes('GITHUB_REPOSITORY is not set')
  ) {
    problems.push(`${name}: publishing without GITHUB_REPOSITORY must stop and say why`);
  }

  process.env.GITHUB_REPOSITORY = REPOSITORY;
  const tarball = pack(name);
  const manifest = JSON.parse(run('tar', ['xzOf', tarball, 'package/package.json']));
  if (
    manifest.repository?.directory !== folder ||
    !manifest.repository.url.includes(REPOSITORY) ||
    !manifest.bugs ||
    !manifest.homepage
  ) {
    problems.push(`${name}: the packed manifest must say where the package comes from`);
  }
  const readme = run('tar', ['xzOf', tarball, 'package/README.md']);
  const links = [...readme.matchAll(OWN_LINK)].map(([, path = '']) => path);
  problems.push(
    ...relativeLinks(readme).map((link) => `${name}: the packed README has the relative link ${link}`),
    ...links
      .filter((path) => !existsSync(path))
      .map((path) => `${name}: the packed README has a link to ${path}, which does not exist`),
    ...(links.length === 0 ? [`${name}: the packed README has no link to the repository`] : []),
  );
  const folderOf = dirname(tarball);
  run('tar', ['xzf', tarball, '-C', folderOf]);
  for (const path of ['SKILL.md', ...(PACKED_DOCS[name] ?? []).map((page) => `docs/${page}`)]) {
    if (!existsSync(join(folderOf, 'package', path))) {
      problems.push(`${name}: the tarball has no ${path}`);
    }
  }
  problems.push(...brokenLinksIn(join(folderOf, 'package')).map((problem) => `${name}: ${problem}`));
  const warned = spawnSync('node', ['../../scripts/publishing/prepack.ts'], {
    cwd: folder,
    env: elsewhere,
    encoding: 'utf8',
  });
  run('node', ['../../scripts/publishing/postpack.ts'], folder);
  if (!warned.stderr.includes('become plain text, because GITHUB_REPOSITORY is not set')) {
    problems.push(`${name}: packing without GITHUB_REPOSITORY must warn about the links that are lost`);
  }

  const types = execFileSync('tar', ['xzOf', tarball, '--wildcards', '*.d.ts'], { encoding: 'utf8' });
  if (types.includes('@confab/internal')) {
    problems.push(`${name}: a declaration imports @confab/internal, which is not published`);
  }

  const dryRun = spawnSync('npm', ['publish', tarball, '--dry-run', '--ignore-scripts'], {
    encoding: 'utf8',
  });
  if (dryRun.status !== 0) {
    problems.push(`${name}: npm publish --dry-run failed:\n${dryRun.stderr}`);
  }
  delete process.env.GITHUB_REPOSITORY;
  console.log(`${name}: checked`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
