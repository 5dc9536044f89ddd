import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromiumPath, listen, runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { expect, test } from 'vitest';
import type { Block } from './support/blocks.ts';
import { blocksOf, environment, moduleOf, writeBlocks } from './support/blocks.ts';
import { BASE_URL } from './support/prelude.ts';

/** The page of the reader. Its button signs a person up, and shows if that failed. */
const page = `<button>Sign up</button>
<script>
  const button = document.querySelector('button');
  button.addEventListener('click', async () => {
    const response = await fetch('${BASE_URL}/api/v2/public/leads', {
      method: 'POST',
      headers: { 'x-api-key': '${createMock().apiKey}', 'content-type': 'application/json' },
      body: JSON.stringify({ phone: '+5511987654321' }),
    });
    button.textContent = response.ok ? 'Welcome' : 'Try again';
  });
</script>`;

/** A test that is added to a block that declares only a fixture. */
const usesFixture = `test('the fixture routes pages to a mock', async ({ page, mock }) => {
  await page.goto('/sign-up');
  const status = await page.evaluate(async (url) => (await fetch(url)).status, \`\${mock.baseUrl}/api/v2/public/leads\`);
  if (status !== 401) throw new Error(\`The mock responds with 401 to a request without a key, not \${status}\`);
});
`;

const specOf = (block: Block): string =>
  moduleOf({ ...block, code: block.code + (/^test\(/m.test(block.code) ? '' : usesFixture) });

test.skipIf(chromiumPath === undefined)(
  'the tests in the code blocks for Playwright pass',
  { timeout: 120_000 },
  async () => {
    const tests = blocksOf('playwright');
    expect(tests.length).toBeGreaterThan(0);
    const folder = writeBlocks('playwright', []);
    for (const [, block] of tests) {
      writeFileSync(join(folder, `line-${block.line}.spec.ts`), specOf(block));
    }
    const baseURL = await listen((_, response) => response.setHeader('content-type', 'text/html').end(page));
    const use = { baseURL, launchOptions: { executablePath: chromiumPath, args: ['--no-sandbox'] } };
    writeFileSync(
      join(folder, 'playwright.config.ts'),
      `export default ${JSON.stringify({ use, workers: 1, outputDir: 'results' })};\n`,
    );

    const cli = join(
      dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
      'cli.js',
    );
    const { code, lines, errors } = await runProcess(process.execPath, [cli, 'test', '--reporter', 'line'], {
      cwd: folder,
      env: { ...process.env, ...environment, NODE_OPTIONS: '--conditions=@confab/source' },
    });
    expect(code, [...lines, errors].join('\n')).toBe(0);
    expect(lines.join('\n')).toContain(`${tests.length} passed`);
  },
);
