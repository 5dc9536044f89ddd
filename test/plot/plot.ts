import { marksUpTo } from './scale.ts';

/** A line of a panel. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A diagram with an axis of its own, above the others of a plot. */
interface Panel {
  readonly title: string;
  /** At most five. */
  readonly lines: readonly Line[];
  /**
   * The top of the axis. Higher values are cut off.
   * @default the highest value
   */
  readonly top?: number | undefined;
}

export interface Plot {
  readonly title: string;
  /** What all panels have from left to right. */
  readonly xTitle: string;
  readonly panels: readonly Panel[];
}

const WIDTH = 800;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 44, 44];
const [PANEL, GAP] = [150, 62];

/** Distinct for most color-blind readers too (Okabe and Ito), darker on white and lighter on black. */
const COLORS = [
  ['#0060a8', '#56b4e9'],
  ['#b34700', '#f0a04b'],
  ['#007a58', '#2fcf9f'],
  ['#a03a78', '#e39ac6'],
  ['#6b5d00', '#d9c93a'],
] as const;

const classes = (index: 0 | 1): string =>
  COLORS.map((color, line) => `.l${line}{stroke:${color[index]}}.t${line}{fill:${color[index]}}`).join('');

/** The picture has a background of its own, so it can be read on any page. */
const STYLE = `text{font:13px system-ui,sans-serif;fill:#333}.h{font-weight:600;fill:#111}.b{fill:#fff}.g{stroke:#ddd}.l{fill:none;stroke-width:1.5;stroke-linejoin:round}${classes(0)}@media(prefers-color-scheme:dark){text{fill:#ccc}.h{fill:#eee}.b{fill:#1b1b1f}.g{stroke:#3c3c44}${classes(1)}}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const short = (value: number): string => String(Number(value.toFixed(1)));

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${short(x)}" y="${short(y)}"${attributes}>${escaped(content)}</text>`;

/** The names of the lines in their colors, from right to left above a panel. */
const legend = (lines: readonly Line[], y: number): string => {
  const names = lines.map(({ name }, index) => `<tspan class="t${index}">— ${escaped(name)}</tspan>`);
  return `<text x="${WIDTH - RIGHT}" y="${y}" text-anchor="end">${names.join('<tspan>   </tspan>')}</text>`;
};

/** The axis from left to right: it ends where the lines do. */
interface XAxis {
  readonly end: number;
  readonly marks: readonly number[];
}

const xAxisOf = (panels: readonly Panel[]): XAxis => {
  const xs = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([x]) => x)));
  const end = xs.reduce((most, x) => Math.max(most, x), 0) || 1;
  return { end, marks: marksUpTo(end).filter((mark) => mark <= end) };
};

const drawPanel = ({ title, lines, top }: Panel, y: number, xAxis: XAxis): string => {
  const highest = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const marks = marksUpTo(top ?? highest.reduce((most, value) => Math.max(most, value), 0));
  const mostY = marks.at(-1) ?? 1;
  const toX = (x: number) => LEFT + (x / xAxis.end) * (WIDTH - LEFT - RIGHT);
  const toY = (value: number) => y + PANEL - (Math.min(Math.max(value, 0), mostY) / mostY) * PANEL;
  const grid = marks.map(
    (mark) =>
      `<path class="g" d="M${LEFT} ${short(toY(mark))}H${WIDTH - RIGHT}"/>${text(LEFT - 8, toY(mark) + 4, mark.toLocaleString('en'), ' text-anchor="end"')}`,
  );
  const under = xAxis.marks.map((mark) =>
    text(toX(mark), y + PANEL + 18, mark.toLocaleString('en'), ' text-anchor="middle"'),
  );
  const paths = lines.map(({ points }, index) => {
    const way = points.map(([x, value]) => `${short(toX(x))} ${short(toY(value))}`).join('L');
    return points.length === 0 ? '' : `<path class="l l${index}" d="M${way}"/>`;
  });
  return [text(LEFT, y - 12, title, ' class="h"'), legend(lines, y - 12), ...grid, ...under, ...paths].join(
    '\n',
  );
};

/**
 * Draws a plot as SVG, for light and dark pages.
 *
 * @throws Error When a panel has more lines than there are colors.
 */
export const drawPlot = ({ title, xTitle, panels }: Plot): string => {
  const crowded = panels.find(({ lines }) => lines.length > COLORS.length);
  if (crowded !== undefined) {
    throw new Error(
      `"${crowded.title}" has ${crowded.lines.length} lines. A panel may have ${COLORS.length}.`,
    );
  }
  const height = TOP + panels.length * (PANEL + GAP) - GAP + BOTTOM;
  const xAxis = xAxisOf(panels);
  const drawn = panels.map((panel, index) => drawPanel(panel, TOP + index * (PANEL + GAP), xAxis));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="b" width="${WIDTH}" height="${height}"/>`,
    ...drawn,
    text(WIDTH / 2, height - 8, xTitle, ' text-anchor="middle"'),
    '</svg>',
  ].join('\n')}\n`;
};
