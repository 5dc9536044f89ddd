import { printable } from '@confab/internal/cli';
import { counted } from '../../errors/check.ts';
import type { Paint } from '../log-lines.ts';
import type { Finding, Unknown } from './run-probe.ts';

const COLUMNS = ['question', 'service', 'mock', 'option'] as const;

const HEAD = { question: 'Question', service: 'Service', mock: 'Mock', option: 'Option' };

/** Renders findings: a table of the answers, those that differ from the mock in color, and what stays unknown, by reason. */
export const report = (findings: readonly Finding[], paint: Paint): string => {
  const answers = findings.filter((finding) => 'option' in finding);
  const open = new Map<string, Unknown[]>();
  for (const finding of findings.filter((each) => 'reason' in each)) {
    const why = JSON.stringify([finding.reason, finding.remedy]);
    open.set(why, [...(open.get(why) ?? []), finding]);
  }
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
    `${counted(answers.length, 'answer')}: ${counted(differing, 'differs', 'differ')} from the mock's default behavior.`,
    '',
    'Unknown:',
    ...[...open.values()].flatMap((alike) => {
      const [{ reason, remedy } = { reason: '', remedy: '' }] = alike;
      const questions = alike.map(({ question }) => question).join(', ');
      return [printable(`  ${questions}: ${reason}.`), paint('dim', printable(`    ${remedy}`))];
    }),
    '',
    '',
  ].join('\n');
};
