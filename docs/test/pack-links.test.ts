import { expect, test } from 'vitest';
import { packLinks } from '../../scripts/publishing/pack-links.ts';

const README = 'packages/mock/README.md';
const GUIDE = 'docs/guides/testing.md';
const packed = new Map([
  [README, 'README.md'],
  [GUIDE, GUIDE],
  ['docs/errors.md', 'docs/errors.md'],
]);
const repository = 'https://github.com/o/n';

test.for([
  [README, '[Guide](../../docs/guides/testing.md#ci)', '[Guide](docs/guides/testing.md#ci)'],
  [GUIDE, '[worlds](../../packages/mock/README.md#worlds)', '[worlds](../../README.md#worlds)'],
  ['docs/errors.md', '[a\nguide](guides/testing.md)', '[a\nguide](guides/testing.md)'],
  [GUIDE, '[`docsUrl`](../errors.md)', '[`docsUrl`](../errors.md)'],
])(
  'packLinks() makes a link in %s, %s, lead to the file in the tarball: %s',
  ([source = '', markdown = '', expected]) => {
    expect(packLinks(markdown, { source, packed })).toBe(expected);
    expect(packLinks(markdown, { source, packed, repository })).toBe(expected);
  },
);

test.for([
  [
    '[`0104`](../decisions/0104.md#why)',
    '`0104`',
    '[`0104`](https://github.com/o/n/blob/main/docs/decisions/0104.md#why)',
  ],
  [
    '[other](../compatibility.md)',
    'other',
    '[other](https://github.com/o/n/blob/main/docs/compatibility.md)',
  ],
  [
    '[React](react.md#test)',
    'React (`docs/guides/react.md` in @confab/client)',
    '[React](https://github.com/o/n/blob/main/docs/guides/react.md#test)',
  ],
  [
    '![A table](pictures/a.png)',
    'A table',
    '![A table](https://github.com/o/n/raw/main/docs/guides/pictures/a.png)',
  ],
])('packLinks() turns %s into text, or into a link to the repository', ([markdown = '', text, link]) => {
  expect(packLinks(markdown, { source: GUIDE, packed })).toBe(text);
  expect(packLinks(markdown, { source: GUIDE, packed, repository })).toBe(link);
});

test.for(['[zod](https://zod.dev#a)', '[above](#ci)', '`[a](b.md)`', '```md\n[a](b.md)\n```\n'])(
  'packLinks() does not change %s',
  (markdown) => {
    expect(packLinks(markdown, { source: GUIDE, packed })).toBe(markdown);
  },
);

test('packLinks() replaces a link after one whose text is code', () => {
  const markdown = 'With [`dedupe`](#dedupe), [other](../compatibility.md) and `code`.';
  expect(packLinks(markdown, { source: GUIDE, packed })).toBe('With [`dedupe`](#dedupe), other and `code`.');
});
