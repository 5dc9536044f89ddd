import { expect, onTestFinished, test } from 'vitest';
import { EXAMPLES } from '../../playground/examples.ts';
import { toFragment } from '../../playground/share.ts';
import { promisedOutput } from '../support/blocks.ts';
import { violationsOf } from '../support/browser.ts';
import { ended, load, outputOf, run, withPlayground } from '../support/playground.ts';

const { open, playground } = withPlayground();

test.for(EXAMPLES.map(({ title, program }) => [title, program] as const))(
  'the playground runs the example "%s", which prints what its comments promise',
  async ([title, code]) => {
    const { page, problems, foreign } = playground();
    await page.getByLabel('Example').selectOption(title);
    await run(page);
    expect(await outputOf(page)).toEqual(promisedOutput({ code }));
    expect(problems).toEqual([]);
    expect(foreign.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  },
);

test('the playground shows the requests and the clock while a program runs', async () => {
  const { page } = playground();
  await load(
    page,
    `import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
const mock = createMock();
await createClient(mock.clientOptions).leads.list();
await mock.clock.advance(5_000);
await new Promise(() => setInterval(() => {}, 1_000));
`,
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('cell', { name: 'leads.list' }).waitFor();
  await page.getByText('+5 s').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await ended(page, 'Stopped.');
});

test('the editor of the playground explains and completes names by the real types, and marks errors', async () => {
  const { page } = playground();
  await load(page, "import { createClient } from '@confab/client';\nconst confab = createClient();\n");
  const lines = page.locator('.view-lines');
  await lines.getByText('createClient').first().hover();
  await page.locator('.monaco-hover').getByText('Creates a client of the API').waitFor({ timeout: 60_000 });
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('confab.le');
  await page.keyboard.press('Control+Space');
  const suggestions = page.locator('.suggest-widget');
  await suggestions.getByText('leads', { exact: true }).first().waitFor({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await page.locator('.squiggly-error').first().waitFor();
});

test('the editor of the playground marks no error in an example', async () => {
  const { page } = playground();
  await load(page, 'const wrong: string = 1;\n');
  await page.locator('.squiggly-error').first().waitFor();
  await page.getByLabel('Example').selectOption({ index: 0 });
  // The editor has checked the example once it marks the error at the end.
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('const wrong: string = 1;');
  await page.locator('.squiggly-error').first().waitFor();
  expect(await page.locator('.squiggly-error').count()).toBe(1);
});

test('the playground shows the message of an error that a program throws', async () => {
  const { page } = playground();
  await load(
    page,
    "import { createClient } from '@confab/client';\ncreateClient({ basUrl: 'x' } as never);\n",
  );
  await run(page, 'Failed');
  expect(await outputOf(page)).toEqual([
    expect.stringMatching(/^Uncaught ConfigurationError: .*Did you mean `baseUrl`/),
  ]);
});

test('the playground runs a program until its last timer has run', async () => {
  const { page } = playground();
  await load(
    page,
    "setTimeout(() => console.log('late'), 1_500);\nclearInterval(setInterval(() => {}, 10));\nconsole.log('end', 0);\n",
  );
  await run(page);
  expect(await outputOf(page)).toEqual(['end 0', 'late']);
});

test('the playground keeps an edit across a reload and a visit of a shared program', async () => {
  const { page } = await open('playground');
  const program = page.locator('.view-lines');
  const shows = (text: RegExp) => expect.poll(() => program.textContent()).toMatch(text);
  await program.getByText('createClient').first().waitFor();
  await load(page, "console.log('theirs');\n");
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type("console.log('mine');");
  await page.reload();
  await shows(/'mine'/);
  await page.goto(`${page.url()}${await toFragment("console.log('theirs');\n")}`);
  await shows(/'theirs'/);
  await page.goto(page.url().replace(/#.*/, ''));
  await page.reload();
  await shows(/'mine'/);
});

test('the playground cuts off endless output', async () => {
  const { page } = playground();
  await load(page, "for (let n = 1; n <= 5_000; n += 1) { console.log('line', n); }\n");
  await run(page);
  expect((await outputOf(page)).slice(998)).toEqual([
    'line 999',
    'line 1000',
    'Only the first 1000 lines are shown.',
  ]);
});

test('a link to the playground opens the shared program without running it', async () => {
  const { page } = playground();
  await load(page, "console.log('shared');\n");
  await page.getByLabel('Example').selectOption({ index: 0 });
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type("console.log('shared');");
  await page.getByRole('button', { name: 'Share' }).click();
  await page.waitForURL(/#code=/);

  const other = await page.context().newPage();
  onTestFinished(() => other.close());
  await other.goto(page.url());
  await other.getByText('This program came with the link. Read it before you run it.').waitFor();
  await expect.poll(() => other.locator('.view-lines').textContent()).toMatch(/console\.log\('shared'\)/);
  // A run replaces this text at once, long before the program prints anything.
  await other.getByText('The program has not run yet.').waitFor({ timeout: 1_000 });
  expect(await outputOf(other)).toEqual([]);
  await run(other);
  expect(await outputOf(other)).toEqual(['shared']);
});

test('Ctrl+Z brings back the program that an example has replaced', async () => {
  const { page } = playground();
  await load(page, "console.log('mine');\n");
  await page.getByLabel('Example').selectOption({ index: 0 });
  await page.locator('.view-lines').getByText('createClient').first().waitFor();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Z');
  await expect.poll(() => page.locator('.view-lines').textContent()).toMatch(/console\.log\('mine'\)/);
});

test('a link with a malformed escape opens the playground with a message', async () => {
  const { page, problems } = await open('playground#code=%%%%<script>');
  await page.getByText('The program in the link is damaged, so it was not opened.').waitFor();
  expect(problems).toEqual([]);
});

test('the keyboard is enough to write a program, run it and leave the editor', async () => {
  const { page } = playground();
  await page.getByLabel('Example').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.editor') !== null)).toBe(true);
  await page.keyboard.press('Control+A');
  // The slash is a shortcut of the site, which searches.
  await page.keyboard.type("console.log('typed', 4 / 2);");
  await page.keyboard.press('Control+Enter');
  await ended(page);
  expect(await outputOf(page)).toEqual(['typed 2']);
  await page.keyboard.press('Control+M');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.editor') === null)).toBe(true);
});

test('axe finds nothing on the playground after a run, in light and in dark', async () => {
  const { page } = playground();
  await page.getByLabel('Example').selectOption({ index: 0 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await run(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.monaco-editor.vs-dark').first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test.for([360, 768, 1440])(
  'at %i px, the playground runs a program and does not scroll sideways',
  async (width) => {
    const { page } = playground();
    await page.setViewportSize({ width, height: 740 });
    await page.getByLabel('Example').selectOption({ index: 0 });
    await run(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByRole('log').click({ trial: true });
    const output = await page.getByRole('log').boundingBox();
    expect((output?.y ?? 0) < 740).toBe(true);
  },
);

test('pages other than the playground do not load the editor', async () => {
  const { page } = await open('guides/testing');
  const loaded = async () => [
    ...new Set(
      (await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))).flatMap(
        (name) => /chunks\/(editor|playground|runner)\b|(ts\.worker)/.exec(name)?.slice(1) ?? [],
      ),
    ),
  ];
  expect(await loaded()).toEqual([]);
  // The playground itself loads files with these names.
  await page.getByRole('link', { name: 'Playground' }).first().click();
  await page.locator('.monaco-editor').first().waitFor();
  expect(await loaded()).toEqual(expect.arrayContaining(['playground', 'editor']));
});

test('an endless loop in the playground ends with the Stop button, or after ten seconds', async () => {
  const { page } = playground();
  await load(page, "console.log('before');\nwhile (true) {}\n");
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('log').getByText('before').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await ended(page, 'Stopped.');

  await page.clock.install();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('log').getByText('before').waitFor();
  await page.clock.fastForward(10_000);
  await ended(page, 'Stopped after 10 seconds');
  expect(await page.locator('iframe').count()).toBe(0);
});
