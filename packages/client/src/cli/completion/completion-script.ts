import { didYouMean, UsageError } from '@confab/internal/cli';
import { bashScript } from './bash.ts';
import type { Shell } from './completion-words.ts';
import { shells } from './completion-words.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<Shell, () => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * The completion script for a shell.
 *
 * @throws {@link UsageError} When there is none for this shell.
 */
export const completionScript = (shell: string | undefined): string => {
  const known = shells.find((name) => name === shell);
  if (known === undefined) {
    throw new UsageError(
      `confab completion needs the name of a shell: ${shells.join(', ')}. ${shell === undefined ? '' : didYouMean(shell, shells)}`,
    );
  }
  return SCRIPTS[known]();
};
