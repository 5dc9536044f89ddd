import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './mutants/find-mutants.ts';
import type { SeedsResult } from './run-seeds.ts';
import { INVARIANTS } from './sim.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'proof', 'simulation.md');

/** Replaces the part of a page between two comments. */
export const replacePart = (page: string, name: string, text: string): string => {
  const part = new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(<!-- /${name} -->)`);
  if (!part.test(page)) {
    throw new Error(`The page has no part "${name}"`);
  }
  return page.replace(part, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const writePart = (name: string, text: string): void =>
  writeFileSync(PAGE, replacePart(readFileSync(PAGE, 'utf8'), name, text));

/** The table of the invariants. */
export const invariantsTable = (): string =>
  table(
    ['Invariant', 'Meaning'],
    Object.entries(INVARIANTS).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );

/** Writes the figures of many seeds, and the invariants. */
export const writeSeeds = ({ seeds, events, seconds, cpuSeconds }: SeedsResult): void => {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  writePart('invariants', invariantsTable());
  writePart(
    'seeds',
    table(
      ['Seeds', 'Events', 'Seconds', 'Seeds a second', 'CPU per seed'],
      [
        [
          number(seeds),
          number(events),
          number(seconds),
          (seeds / seconds).toFixed(1),
          `${number((cpuSeconds / seeds) * 1_000)} ms`,
        ],
      ],
    ),
  );
};

/** Writes how the mutants were found. */
export const writeMutants = (findings: readonly Finding[]): void =>
  writePart(
    'mutants',
    table(
      ['Fault', 'Fixed by', 'Found by', 'Seeds'],
      findings.map(({ mutant, found, seeds }) => [
        mutant.fault,
        mutant.fixedBy === undefined ? 'was never there' : `\`${mutant.fixedBy[0]}\` ${mutant.fixedBy[1]}`,
        found === undefined ? 'not found' : `\`${found.invariant}\``,
        String(seeds),
      ]),
    ),
  );
