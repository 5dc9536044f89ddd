import { printable } from '@confab/internal/cli';
import { pluralize } from '../errors/check.ts';
import type { Answer, Unknown } from '../upstream/probe/run-probe.ts';
import type { Paint } from './log-lines.ts';

const COLUMNS = ['question', 'service', 'mock', 'option'] as const;

const HEAD: Answer = { question: 'Question', service: 'Service', mock: 'Mock', option: 'Option' };

/** Renders a table of the answers, with those that differ from the mock in color, and the unknown answers by reason. */
export const renderReport = (
  answers: readonly Answer[],
  unknown: readonly Unknown[],
  paint: Paint,
): string => {
  const widths = COLUMNS.map((name) => Math.max(...[HEAD, ...answers].map((row) => row[name].length)));
  const line = (row: Answer) =>
    COLUMNS.map((name, index) => printable(row[name]).padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const differing = answers.filter(({ service, mock }) => service !== mock).length;
  const byReason = new Map<string, Unknown[]>();
  for (const each of unknown) {
    byReason.set(each.reason, [...(byReason.get(each.reason) ?? []), each]);
  }
  return [
    paint('dim', line(HEAD)),
    ...answers.map((row) => (row.service === row.mock ? line(row) : paint('yellow', line(row)))),
    '',
    `${pluralize(answers.length, 'answer')}: ${pluralize(differing, 'differs', 'differ')} from the mock's default behavior.`,
    '',
    'Unknown:',
    ...[...byReason].flatMap(([reason, alike]) => [
      printable(`  ${alike.map(({ question }) => question).join(', ')}: ${reason}.`),
      paint('dim', printable(`    ${alike[0]?.remedy}`)),
    ]),
    '',
    '',
  ].join('\n');
};
