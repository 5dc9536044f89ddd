import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeAgentFiles } from '../.vitepress/content/agent-files.ts';
import { read } from '../.vitepress/content/repository.ts';

const writeFiles = (env: NodeJS.ProcessEnv): string => {
  const dist = mkdtempSync(join(tmpdir(), 'confab-site-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  writeAgentFiles(dist, env);
  return dist;
};

test.each([
  [{ DOCS_BASE: '/confab/' }, '/confab'],
  [{ GITHUB_REPOSITORY: 'owner/confab', DOCS_BASE: '/confab/' }, 'https://owner.github.io/confab'],
  [{}, ''],
])('with %j, llms.txt lists every guide below the address "%s", with a summary', (env, base) => {
  const dist = writeFiles(env);
  const index = readFileSync(join(dist, 'llms.txt'), 'utf8');
  expect(index).toMatch(/^# confab\n\n> /);
  const links = [...index.matchAll(/^- \[([^\]]+)\]\(([^)]+\.md)\): (.{20,})$/gm)].map(
    ([, , link = '']) => link,
  );
  expect(links.length).toBeGreaterThan(25);
  expect(links).toContain(`${base}/guides/paging.md`);
  for (const link of links) {
    expect(link.startsWith(`${base}/`) && existsSync(join(dist, link.slice(base.length))), link).toBe(true);
  }
});

test('llms-full.txt contains the guides, whose links lead to the site', () => {
  const full = readFileSync(join(writeFiles({ DOCS_BASE: '/confab/' }), 'llms-full.txt'), 'utf8');
  for (const path of ['docs/guides/paging.md', 'docs/errors.md', 'packages/mock/README.md']) {
    for (const [block] of read(path).matchAll(/^```.*?^```$/gms)) {
      expect(full).toContain(block);
    }
  }
  expect(full).toContain('](/confab/guides/errors#after-a-write-with-an-unknown-outcome)');
  expect(full).not.toMatch(/\]\(\.\.?\//);
});
