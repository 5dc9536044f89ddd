import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../support/browser.ts';

interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly { readonly results: readonly { readonly errors: { message: string }[] }[] }[];
  }[];
  readonly suites?: readonly Suite[];
}

const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)];

test.skipIf(chromiumPath === undefined)(
  'the tests in playwright/ pass, run by Playwright',
  { timeout: 180_000 },
  () => {
    const output = mkdtempSync(join(tmpdir(), 'confab-playwright-'));
    onTestFinished(() => rmSync(output, { recursive: true, force: true }));
    const cli = join(
      dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
      'cli.js',
    );
    const config = join(import.meta.dirname, 'playwright.config.ts');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [cli, 'test', '--config', config, '--reporter', 'json', '--output', output],
      {
        encoding: 'utf8',
        timeout: 170_000,
        env: { ...process.env, NODE_OPTIONS: '--conditions=@confab/source' },
      },
    );
    expect(stdout, stderr).toMatch(/^\{/);
    const report: { errors: unknown[]; suites: Suite[] } = JSON.parse(stdout);
    const specs = report.suites.flatMap(specsOf);
    expect(report.errors).toEqual([]);
    expect(specs.length).toBeGreaterThan(10);
    const messagesOf = (title: string) =>
      specs
        .filter((spec) => spec.title === title)
        .flatMap(({ tests }) => tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors)))
        .map(({ message }) => message);
    const failed = specs.filter(({ ok }) => !ok);
    expect(failed.map(({ title }) => [title, ...messagesOf(title)])).toEqual([]);
    // It is expected to fail, but for this reason alone.
    expect(messagesOf('the page loses the connection, and the test fails')).toEqual([
      expect.stringContaining('breaks the contract'),
    ]);
  },
);
