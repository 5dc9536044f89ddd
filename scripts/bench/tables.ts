import { readFileSync, writeFileSync } from 'node:fs';

/** A table of results: the first column holds names, the others figures as they are printed. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Writes a table in Markdown, without a line break at its end. */
export const toMarkdown = ({ columns, rows }: Table): string =>
  [line(columns), `|---|${'---:|'.repeat(columns.length - 1)}`, ...rows.map(line)].join('\n');

/** Prints a table in Markdown, after an empty line. */
export const printTable = (columns: Table['columns'], rows: Table['rows']): void =>
  console.log(`\n${toMarkdown({ columns, rows })}`);

/** Replaces each table in a document by the one with the same head. */
export const replaceTables = (markdown: string, tables: readonly Table[]): string =>
  tables.reduce((text, table) => {
    const lines = text.split('\n');
    const start = lines.indexOf(line(table.columns));
    if (start === -1) {
      throw new Error(`The page has no table with the head ${line(table.columns)}. Add it, with any rows.`);
    }
    const end = lines.findIndex((one, index) => index > start && !one.startsWith('|'));
    return lines.toSpliced(start, (end === -1 ? lines.length : end) - start, toMarkdown(table)).join('\n');
  }, markdown);

/** Writes tables into a page, each in place of the one with the same head. */
export const writeTables = (page: string, tables: readonly Table[]): void =>
  writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), tables));
