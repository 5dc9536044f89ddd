import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docsBase } from '../../../scripts/publishing/docs-base.ts';
import { summarize } from './front-matter.ts';
import { relink } from './relink.ts';
import { read } from './repository.ts';
import { sidebars } from './sidebars.ts';
import { addressOf, pageOf, sources } from './sources.ts';

const SUMMARY = `# confab

> The typed TypeScript SDK of a conversation and lead API: a client that follows rate limits and retries
> (\`@confab/client\`), a receiver of signed webhooks (\`@confab/webhooks\`), and the whole service in memory for tests
> (\`@confab/mock\`). Each npm package contains its guides in \`docs/\` and a \`SKILL.md\`, both of its own version.`;

interface Page {
  readonly text: string;
  /** The path below the site's address. */
  readonly path: string;
  readonly markdown: string;
}

interface Group {
  readonly text: string;
  readonly pages: readonly Page[];
}

const markdownOf = (source: string, base: string): string =>
  relink(read(source), source).replaceAll('](/', `](${base}/`);

/** The pages of the guides' sidebar, by its groups. Their links lead to the site. */
const groupsOf = (base: string): Group[] => {
  const bySite = new Map(sources().map((source) => [addressOf(pageOf(source) ?? ''), source]));
  return (sidebars()['/guides/'] ?? []).map(({ text = '', items = [] }) => ({
    text,
    pages: items.flatMap(({ link = '', text = '' }) => {
      const source = bySite.get(link);
      return source === undefined ? [] : [{ text, path: `${link}.md`, markdown: markdownOf(source, base) }];
    }),
  }));
};

/** The index of the guides in the form of llmstxt.org. */
const llmsIndex = (base: string): string =>
  [
    SUMMARY,
    ...groupsOf(base).map(({ text, pages }) =>
      [
        `## ${text}\n`,
        ...pages.map(
          ({ text, path, markdown }) => `- [${text}](${base}${path}): ${summarize(markdown) ?? text}`,
        ),
      ].join('\n'),
    ),
    `## Optional\n\n- [All guides in one file](${base}/llms-full.txt)\n- [Reference](${base}/reference/)`,
  ].join('\n\n');

/** All guides in one text. Each begins with the address of its page. */
const llmsFull = (base: string): string =>
  [
    SUMMARY,
    ...groupsOf(base).flatMap(({ pages }) =>
      pages.map(({ path, markdown }) => `<!-- ${base}${path} -->\n\n${markdown.trim()}`),
    ),
  ].join('\n\n');

/** Writes what programs read into the built site: the index, all guides in one file, and each guide as Markdown. */
export const writeAgentFiles = (dist: string, env: NodeJS.ProcessEnv): void => {
  const base = docsBase(env) ?? (env.DOCS_BASE ?? '/').replace(/\/$/, '');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  };
  write('llms.txt', `${llmsIndex(base)}\n`);
  write('llms-full.txt', `${llmsFull(base)}\n`);
  for (const { path, markdown } of groupsOf(base).flatMap(({ pages }) => pages)) {
    write(path, markdown);
  }
};
