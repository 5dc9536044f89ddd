/** Prints a table as Markdown. */
export const printTable = (columns: readonly string[], rows: readonly (readonly string[])[]): void => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([`\n${line(columns)}`, `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n'));
};
