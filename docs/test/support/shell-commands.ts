import { documents } from './documents.ts';
import { read } from './repository.ts';

/** A command of a shell block. */
export interface ShellCommand {
  readonly document: string;
  /** Without comments; a command that is continued on the next line is one text. */
  readonly text: string;
}

/** Finds the commands of the blocks that begin with ` ```sh `. */
export const findShellCommands = (document: string, markdown: string): ShellCommand[] =>
  [...markdown.matchAll(/^( *)```(?:sh|bash|shell|console|zsh)\n(.*?)^\1```$/gms)]
    .flatMap(([, , code = '']) => code.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => line.replace(/(?:^|\s+)# .*$/, '').split(' && '))
    .map((text) => ({ document, text: text.trim() }))
    .filter(({ text }) => text !== '');

/** The guide whose blocks run as they stand, in command-line-guide.slow.test.ts. */
const RUN_AS_A_WHOLE = 'docs/guides/command-line.md';

/** The commands of READMEs, skills and guides. */
export const shellCommands = documents
  .filter((document) => document !== RUN_AS_A_WHOLE)
  .flatMap((document) => findShellCommands(document, read(document)));

/** How a test shows that a command works. */
export type Proof = 'setting' | 'installs' | 'runs a script' | 'runs a command of a package' | 'listed';

const PROOFS: readonly (readonly [pattern: RegExp, proof: Proof])[] = [
  [/^export \w+=\S+$/, 'setting'],
  [/^npm install /, 'installs'],
  [/^npx --yes pnpm@12 /, 'runs a script'],
  [/^npx @confab\/(?:mock|webhooks)\b/, 'runs a command of a package'],
];

/** Returns how a test shows that a command works; every other command is in a list with its reason. */
const proofOf = ({ text }: ShellCommand): Proof =>
  PROOFS.find(([pattern]) => pattern.test(text))?.[1] ?? 'listed';

export const commandsProvenBy = (proof: Proof): ShellCommand[] =>
  shellCommands.filter((command) => proofOf(command) === proof);
