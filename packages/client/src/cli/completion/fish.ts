import type { FlagWord, Word } from './completion-words.ts';
import { firstWords, flagWords, secondWords } from './completion-words.ts';

/** Quotes a text for fish, which reads backslashes within single quotes. */
const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const words = (at: string, list: readonly Word[]): string[] =>
  list.map(
    ({ word, meaning }) =>
      `complete -c confab -n ${quote(`__confab_at ${at}`.trimEnd())} -a ${word} -d ${quote(meaning)}`,
  );

const flag = (name: string, { word, meaning, value }: FlagWord): string => {
  const condition = `complete -c confab -n ${quote(`__confab_in ${name}`)} -l ${word.slice(2)} -d ${quote(meaning)}`;
  if (value === 'none') {
    return condition;
  }
  const values =
    value === 'text' ? '' : value === 'file' ? ` -a '(__confab_files)'` : ` -a ${quote(value.join(' '))}`;
  return `${condition} -x${values}`;
};

/** The completion script for fish. */
export const fishScript = (): string => `# Completion of confab for fish. Save it with:
#   confab completion fish > ~/.config/fish/completions/confab.fish
function __confab_at
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
function __confab_in
    set -l words (commandline -opc)
    test "$words[2..3]" = "$argv"
end
function __confab_files
    __fish_complete_path (string replace -r '^@' '' -- (commandline -ct | string replace -r '^--data=' '')) | string replace -r '^' '@'
end
complete -c confab -f
${[
  ...words('', firstWords),
  ...secondWords.flatMap(([first, list]) => words(first, list)),
  ...flagWords.flatMap(([name, list]) => list.map((each) => flag(name, each))),
].join('\n')}
`;
