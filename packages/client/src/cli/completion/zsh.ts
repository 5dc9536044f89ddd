import type { FlagWord, Word } from './completion-words.ts';
import { firstWords, flagWords, secondWords } from './completion-words.ts';
import { quote } from './quote.ts';

/** `_describe` ends a word at a colon. */
const entries = (words: readonly Word[]): string =>
  words.map(({ word, meaning }) => quote(`${word}:${meaning.replaceAll(':', '\\:')}`)).join(' ');

const ACTIONS = { none: '', text: ':value: ', file: ":file after @:{compset -P '@' && _files}" };

/** A flag as `_arguments` describes it. */
const spec = ({ word, meaning, value }: FlagWord): string => {
  const action = typeof value === 'string' ? ACTIONS[value] : `:value:(${value.join(' ')})`;
  const described = `${word}${value === 'none' ? '' : '='}[${meaning.replaceAll(/[[\]:]/g, '\\$&')}]`;
  return quote(described + action);
};

const second = secondWords.map(([first, words]) => `      ${first}) found=(${entries(words)}) ;;`);

const flags = flagWords.map(
  ([name, words]) => `      ${quote(name)}) _arguments ${words.map(spec).join(' ')} '*: :' ;;`,
);

/** The completion script for zsh. */
export const zshScript = (): string => `#compdef confab
# Completion of confab for zsh. Add this line to ~/.zshrc, after compinit:
#   source <(confab completion zsh)
_confab() {
  local -a found
  if ((CURRENT == 2)); then
    found=(${entries(firstWords)})
    _describe command found
  elif ((CURRENT == 3)); then
    case $words[2] in
${second.join('\n')}
    esac
    _describe command found
  else
    local name="$words[2] $words[3]"
    shift 2 words
    ((CURRENT -= 2))
    case $name in
${flags.join('\n')}
    esac
  fi
}
if [ "$funcstack[1]" = _confab ]; then
  _confab "$@"
else
  compdef _confab confab
fi
`;
