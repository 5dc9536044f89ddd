/** Columns of the help, which are also those of most terminals. */
const WIDTH = 100;

/** Names that are longer have a line of their own. */
const LONGEST_NAME = 30;

/** Breaks a text into lines. */
export const wrap = (text: string, width = WIDTH): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
};

/** Names with their descriptions: two columns, of which the second is wrapped. */
export const columns = (rows: readonly (readonly [name: string, description: string])[]): string => {
  const longest = Math.min(LONGEST_NAME, Math.max(...rows.map(([name]) => name.length)));
  const indent = longest + 4;
  return rows
    .flatMap(([name, description]) => {
      const lines = wrap(description, WIDTH - indent).map((line) => ' '.repeat(indent) + line);
      const [first = '', ...more] = lines;
      return name.length > longest
        ? [`  ${name}`, ...lines]
        : [`  ${name}`.padEnd(indent) + first.slice(indent), ...more];
    })
    .join('\n');
};
