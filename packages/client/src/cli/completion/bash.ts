import type { Word } from './completion-words.ts';
import { firstWords, flagWords, secondWords } from './completion-words.ts';
import { quote } from './quote.ts';

const list = (words: readonly Word[]): string => quote(words.map(({ word }) => word).join(' '));

const second = secondWords.map(([first, words]) => `      ${first}) words=${list(words)} ;;`);

const flags = flagWords.map(([name, words]) => `        ${quote(name)}) words=${list(words)} ;;`);

const values = flagWords.flatMap(([name, words]) =>
  words.flatMap(({ word, value }) => {
    if (value === 'none') {
      return [];
    }
    const action =
      value === 'file' ? 'files=1' : value === 'text' ? 'return' : `words=${quote(value.join(' '))}`;
    return [`      ${quote(`${name} ${word}`)}) ${action} ;;`];
  }),
);

/** The completion script for bash, from version 3.2 on, which macOS has. */
export const bashScript = (): string => `# Completion of confab for bash. Add this line to ~/.bashrc:
#   source <(confab completion bash)
_confab() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words='' files=''
  # Bash splits --flag=value at the equals sign.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words=${list(firstWords)}
  elif ((COMP_CWORD == 2)); then
    case \${COMP_WORDS[1]} in
${second.join('\n')}
    esac
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]} $prev" in
${values.join('\n')}
      *) case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${flags.join('\n')}
      esac ;;
    esac
  fi
  local IFS=$'\\n'
  if [[ -n $files ]]; then
    [[ $cur == @* ]] && COMPREPLY=($(compgen -P @ -f -- "\${cur#@}"))
  else
    COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$cur"))
  fi
}
complete -F _confab confab
`;
