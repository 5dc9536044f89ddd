import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changelog } from './changelog.ts';
import { summarize, withFrontMatter } from './front-matter.ts';
import { introduce, namesOfModules } from './reference.ts';
import { relink } from './relink.ts';
import { PAGES, ROOT, read } from './repository.ts';
import { pageOf, sources } from './sources.ts';

const write = (page: string, markdown: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  const path = join(PAGES, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, withFrontMatter(markdown, { description: summarize(markdown), ...fields }));
};

/** Where the files of the repository can be read, once it has a public address. */
const repositoryUrl = ({ GITHUB_REPOSITORY, GITHUB_SERVER_URL = 'https://github.com' }: NodeJS.ProcessEnv) =>
  GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/main`;

/** Writes every page of the site but the reference, which TypeDoc has written before, and completes that one. */
export const writePages = (env: NodeJS.ProcessEnv): void => {
  const repository = repositoryUrl(env);
  for (const name of readdirSync(PAGES).filter((name) => name !== 'reference')) {
    rmSync(join(PAGES, name), { recursive: true });
  }
  for (const source of sources()) {
    write(pageOf(source) ?? '', relink(read(source), source, repository));
  }
  cpSync(join(ROOT, 'docs/guides/pictures'), join(PAGES, 'guides/pictures'), { recursive: true });
  cpSync(join(ROOT, 'docs/.vitepress/home.md'), join(PAGES, 'index.md'));
  cpSync(join(ROOT, 'docs/playground/page.md'), join(PAGES, 'playground.md'));
  write('changelog.md', changelog());

  const pages = globSync('reference/**/*.md', { cwd: PAGES });
  const modules = namesOfModules(pages);
  for (const page of pages) {
    const { title, markdown } = introduce(page, readFileSync(join(PAGES, page), 'utf8'), modules);
    write(page, markdown, { title, pageClass: 'reference' });
  }
};
