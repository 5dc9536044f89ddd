import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { expect, test } from 'vitest';
import { h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { drawMocks } from '../playground/panels.ts';
import { formatLine } from '../playground/runner/format.ts';
import { linkImports } from '../playground/runner/link-imports.ts';
import { watchMock } from '../playground/runner/watch-mock.ts';
import { fromFragment, toFragment } from '../playground/share.ts';

const addresses = new Map([['@confab/client', 'blob:1']]);

test('linkImports() replaces the specifiers of imports, and nothing else', () => {
  expect(
    linkImports(
      `import { createClient } from '@confab/client';\nconst late = await import("@confab/client");\n// from '@confab/client'\nimport.meta.url;`,
      addresses,
    ),
  ).toBe(
    `import { createClient } from 'blob:1';\nconst late = await import("blob:1");\n// from '@confab/client'\nimport.meta.url;`,
  );
});

test.for(['zod', 'https://example.com/a.js', './other.ts'])(
  'linkImports() refuses an import of %s',
  (name) => {
    expect(() => linkImports(`import '${name}';`, addresses)).toThrow(
      `Cannot import "${name}". The playground has these modules: @confab/client.`,
    );
  },
);

test('formatLine() shows values as consoles do, and errors with their causes', () => {
  expect(formatLine(['leads', 2, { status: 'new' }])).toBe("leads 2 { status: 'new' }");
  expect(formatLine([0, { total: 0 }, [-0], '+0'])).toBe('0 { total: 0 } [ -0 ] +0');
  expect(formatLine([new TypeError('No response', { cause: new Error('Broken') })])).toBe(
    'TypeError: No response\n  caused by Error: Broken',
  );
  expect(formatLine(['x'.repeat(5_000)])).toHaveLength(4_001);
});

test('a link to the playground can hold any program', async () => {
  const program = 'console.log("día 日 🙂");\n'.repeat(100);
  const fragment = await toFragment(program);
  expect(fragment).toMatch(/^#code=[\w-]{20,200}$/);
  expect(await fromFragment(fragment)).toBe(program);
});

test.for(['', '#examples', '#code=', '#code=%%%', '#code=AAAA', `#code=${'A'.repeat(200_000)}`])(
  'fromFragment() returns undefined for the damaged link "%.20s"',
  async (fragment) => {
    expect(await fromFragment(fragment)).toBeUndefined();
  },
);

test('a link to the playground can hold 64 KiB at most', async () => {
  const bomb = new Blob([new Uint8Array(64 * 1024 + 1)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const packed = Buffer.from(await new Response(bomb).arrayBuffer()).toString('base64url');
  expect(packed.length).toBeLessThan(1_000);
  expect(await fromFragment(`#code=${packed}`)).toBeUndefined();
  await expect(toFragment('x'.repeat(64 * 1024 + 1))).rejects.toThrow(RangeError);
});

test('watchMock() reports the requests, the clock and the rate-limit window of a mock', async () => {
  const mock = createMock({ rateLimit: 2 });
  const state = watchMock(mock);
  const confab = createClient(mock.clientOptions);
  for (const last of [1, 2, 3]) {
    await confab.leads.create({ phone: `+44770090000${last}` });
  }
  expect(state()).toMatchObject({ elapsed: 60_000, limit: 2, perMs: 60_000, used: 1, total: 4 });
  expect(state().requests.map(({ status, at }) => [status, at])).toEqual([
    [201, 0],
    [201, 0],
    [429, 0],
    [201, 60_000],
  ]);
  expect(state().samples).toEqual([
    { at: 0, used: 1 },
    { at: 0, used: 2 },
    { at: 0, used: 2 },
    { at: 60_000, used: 1 },
  ]);
});

test('the table of requests leaves out the middle of a long path, and never its end', async () => {
  const path = '/api/v2/public/conversations/5043f5d6-0d9a-8691-8fa5-e08a666cd862/messages';
  const request = { method: 'POST', path, operation: undefined, status: 201, at: 0 };
  const mock = { now: 0, elapsed: 0, limit: 60, perMs: 60_000, used: 1, total: 1, samples: [] };
  const html = await renderToString(h('div', drawMocks([{ ...mock, requests: [request] }], true)));
  expect(html).toContain(`title="${path}"`);
  expect(html).toContain('<span>/messages</span>');
});
