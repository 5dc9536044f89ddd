import { expect, test } from 'vitest';
import { relink } from '../.vitepress/content/relink.ts';

const GUIDE = 'docs/guides/testing.md';

test.for([
  ['[Pages](paging.md)', '[Pages](/guides/paging)'],
  ['[Worlds](../../packages/mock/README.md#worlds)', '[Worlds](/packages/mock#worlds)'],
  ['[Benchmarks](../benchmarks.md)', '[Benchmarks](/benchmarks/)'],
  ['[Decisions](../decisions/README.md)', '[Decisions](/decisions/)'],
  ['[`receivers`](../../examples/receivers)', '[`receivers`](/examples/receivers)'],
  ['[the README](../../README.md)', '[the README](/)'],
])('relink() turns %s into %s', ([markdown = '', expected]) => {
  expect(relink(markdown, GUIDE)).toBe(expected);
});

test('relink() makes a link to a file without a page lead to the repository, if its address is known', () => {
  const markdown = 'One [compose file](compose.yaml), one [image](Dockerfile).';
  const source = 'examples/compose/README.md';
  expect(relink(markdown, source)).toBe('One compose file, one image.');
  expect(relink(markdown, source, 'https://github.com/o/n/blob/main')).toBe(
    'One [compose file](https://github.com/o/n/blob/main/examples/compose/compose.yaml), ' +
      'one [image](https://github.com/o/n/blob/main/examples/compose/Dockerfile).',
  );
});
