import { printable } from '@confab/internal/cli';
import { counted } from '../../errors/check.ts';
import type { Paint } from '../log-lines.ts';
import type { Finding } from './finding.ts';

const COLUMNS = ['question', 'service', 'mock', 'option'] as const;

const HEAD = { question: 'Question', service: 'Service', mock: 'Mock', option: 'Option' };

/** Renders findings: a table of the answers, those that differ from the mock in color, and a list of what stays unknown. */
export const report = (findings: readonly Finding[], paint: Paint): string => {
  const answers = findings.filter((finding) => 'option' in finding);
  const open = findings.filter((finding) => 'reason' in finding);
  const widths = COLUMNS.map((name) => Math.max(...[HEAD, ...answers].map((row) => row[name].length)));
  const line = (row: typeof HEAD) =>
    COLUMNS.map((name, at) => printable(row[name]).padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const differing = answers.filter(({ service, mock }) => service !== mock).length;
  return [
    paint('dim', line(HEAD)),
    ...answers.map((row) => (row.service === row.mock ? line(row) : paint('yellow', line(row)))),
    '',
    `${counted(answers.length, 'answer')}, of which ${differing} differ from what the mock does by default.`,
    ...(open.length === 0 ? [] : ['', 'Unknown:']),
    ...open.flatMap(({ question, reason, settle }) => [
      printable(`  ${question}: ${reason}.`),
      paint('dim', printable(`    ${settle}`)),
    ]),
    '',
    '',
  ].join('\n');
};
