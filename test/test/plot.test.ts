import { expect, test } from 'vitest';
import { drawPlot } from '../plot/plot.ts';
import { marksUpTo, thin } from '../plot/scale.ts';

const draw = (name: string, points: readonly (readonly [number, number])[]) =>
  drawPlot({ title: 'A plot', xTitle: 'minutes', panels: [{ title: 'Memory', lines: [{ name, points }] }] });

test.for([
  [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [7, [0, 2, 4, 6, 8]],
  [30, [0, 5, 10, 15, 20, 25, 30]],
  [317, [0, 100, 200, 300, 400]],
  [50_000, [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
] as const)('the marks of an axis up to %s are round numbers', ([most, marks]) => {
  expect(marksUpTo(most)).toEqual(marks);
});

test('a line is drawn from its first to its last point, with higher values further up', () => {
  const path = /<path class="l l0" d="M([^"]*)"/.exec(
    draw('heap', [
      [0, 0],
      [15, 40],
      [30, 80],
    ]),
  )?.[1];
  const [first, middle, last] = (path ?? '').split('L').map((point) => point.split(' ').map(Number));
  expect(first).toEqual([64, 194]);
  expect(middle).toEqual([424, 119]);
  expect(last).toEqual([784, 44]);
});

test('a plot ends where its lines do, and marks only round numbers', () => {
  const svg = draw('heap', [
    [0, 1],
    [31, 1],
  ]);
  expect(svg).toContain('L784 ');
  const marks = Array.from(svg.matchAll(/text-anchor="middle">(\d+)</g), ([, mark]) => Number(mark));
  expect(marks).toEqual([0, 10, 20, 30]);
});

test('a plot names its axes, panels and lines, with their characters escaped', () => {
  const svg = draw('<heap> & "RSS"', [
    [0, 1],
    [30, 2],
  ]);
  expect(svg).toContain('>— &lt;heap&gt; &amp; &quot;RSS&quot;<');
  expect(svg).toContain('>minutes</text>');
  expect(svg).toContain('aria-label="A plot"');
  expect(svg).not.toContain('NaN');
});

test('a plot has colors for dark pages', () => {
  expect(draw('heap', [])).toMatch(/@media\(prefers-color-scheme:dark\)\{.*\.l0\{stroke:#56b4e9\}/);
});

test('more lines than colors are an error', () => {
  const lines = Array.from({ length: 6 }, (_, index) => ({ name: `${index}`, points: [] }));
  expect(() => drawPlot({ title: '', xTitle: '', panels: [{ title: 'Memory', lines }] })).toThrow(
    '"Memory" has 6 lines. A panel may have 5.',
  );
});

test('a thinned line keeps its order and every peak', () => {
  const points = Array.from(
    { length: 1_000 },
    (_, index) => [index, index === 517 ? 99 : index % 7] as const,
  );
  const thinned = thin(points, 100);
  expect(thinned.length).toBeLessThanOrEqual(101);
  expect(thinned).toContainEqual([517, 99]);
  expect(thinned.map(([x]) => x)).toEqual(thinned.map(([x]) => x).toSorted((a, b) => a - b));
  expect(thin(points, 2_000)).toEqual(points);
});
