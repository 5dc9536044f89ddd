import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docsBase } from '../../../scripts/publishing/docs-base.ts';
import { summarize } from './front-matter.ts';
import { relink } from './relink.ts';
import { read } from './repository.ts';
import { sidebars } from './sidebars.ts';
import { addressOf, pageOf, sources } from './sources.ts';

const SUMMARY = `# confab

> The typed TypeScript SDK for the confab conversation and lead API: a client that follows rate limits and retries
> (\`@confab/client\`), a receiver of signed webhooks (\`@confab/webhooks\`), and the whole service in memory for tests
> (\`@confab/mock\`). Each npm package contains its guides in \`docs/\` and a \`SKILL.md\`, both of its own version.`;

const markdownOf = (source: string, base: string): string =>
  relink(read(source), source).replaceAll('](/', `](${base}/`);

/** The pages of the guides' sidebar, by its groups: their titles, paths below the site's address, and links to the site. */
const groupsOf = (base: string) => {
  const bySite = new Map(sources().map((source) => [addressOf(pageOf(source) ?? ''), source]));
  return (sidebars()['/guides/'] ?? []).map(({ text, items = [] }) => ({
    text,
    pages: items.flatMap(({ link = '', text = '' }) => {
      const source = bySite.get(link);
      return source === undefined ? [] : [{ text, path: `${link}.md`, markdown: markdownOf(source, base) }];
    }),
  }));
};

/** Writes files for programs into the built site: the index, all guides in one file, and each guide as Markdown. */
export const writeAgentFiles = (dist: string, env: NodeJS.ProcessEnv): void => {
  const base = docsBase(env) ?? (env.DOCS_BASE ?? '/').replace(/\/$/, '');
  const write = (path: string, ...parts: readonly string[]) => {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), `${parts.join('\n\n').trim()}\n`);
  };
  const groups = groupsOf(base);
  const pages = groups.flatMap((group) => group.pages);
  for (const { path, markdown } of pages) {
    write(path, markdown);
  }
  // In the format of llmstxt.org.
  const index = groups.map(({ text, pages }) => {
    const links = pages.map(
      ({ text, path, markdown }) => `- [${text}](${base}${path}): ${summarize(markdown) ?? text}`,
    );
    return `## ${text}\n\n${links.join('\n')}`;
  });
  write(
    'llms.txt',
    SUMMARY,
    ...index,
    `## Optional\n\n- [All guides in one file](${base}/llms-full.txt)\n- [Reference](${base}/reference/)`,
  );
  // Each guide begins with the address of its page.
  const texts = pages.map(({ path, markdown }) => `<!-- ${base}${path} -->\n\n${markdown.trim()}`);
  write('llms-full.txt', SUMMARY, ...texts);
};
