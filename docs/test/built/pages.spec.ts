import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { baseOf, DIST } from '../support/built-site.ts';

const base = baseOf(DIST);

const files = new Map(
  globSync('**/*.html', { cwd: DIST }).map((path) => [path, readFileSync(join(DIST, path), 'utf8')]),
);
const anchors = new Map(
  [...files].map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
);
const assets = new Set(globSync('**/*', { cwd: DIST }));

/** Finds the file that an address leads to, relative to the site. */
const fileOf = (address: string): string | undefined =>
  [address, `${address}.html`, posix.join(address, 'index.html')].find(
    (path) => files.has(path) || assets.has(path),
  );

test('the site is built below a path, like project pages on GitHub', () => {
  expect(base).toBe('/confab/');
  expect(files.size).toBeGreaterThan(350);
});

test('every link, script and picture of every page leads to a file, and every anchor to a heading', () => {
  const broken = [...files].flatMap(([path, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, target = '']) => target.replaceAll('&amp;', '&'))
      .filter((target) => !/^(?:https?:|data:|mailto:)/.test(target))
      .filter((target) => {
        const { pathname, hash } = new URL(target, `http://localhost${base}${path}`);
        const file = pathname.startsWith(base) ? fileOf(pathname.slice(base.length)) : undefined;
        const anchor = decodeURIComponent(hash.slice(1));
        return file === undefined || (anchor !== '' && anchors.get(file)?.has(anchor) !== true);
      })
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every page has a unique title and a description', () => {
  const titles = new Map<string, string>();
  for (const [path, html] of files) {
    const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
    expect(titles.get(title), `${path} has the title ${title} too`).toBeUndefined();
    titles.set(title, path);
    expect(html, path).toMatch(/<meta name="description" content="[^"]+">/);
  }
});

test('every page has a content security policy before its first script, which allows no other origin', () => {
  for (const [path, html] of files) {
    const [head = ''] = html.split('<script');
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(head)?.[1] ?? '';
    expect(policy, path).toMatch(/^default-src 'self'; script-src 'self' blob: '/);
    expect(policy, path).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  }
});

test('no page loads anything from another origin', () => {
  for (const [path, html] of files) {
    expect(html, path).not.toMatch(/<(?:script|img|iframe)[^>]* src="(?:https?:)?\/\//);
    expect(html, path).not.toMatch(
      /<link[^>]* rel="(?:stylesheet|preload|modulepreload|preconnect)"[^>]* href="(?:https?:)?\/\//,
    );
  }
});
