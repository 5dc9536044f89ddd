import { read } from '../../.vitepress/content/repository.ts';
import { documents } from './blocks.ts';

/** A command of a shell block. */
interface ShellCommand {
  readonly document: string;
  /** Without comments, and on one line even if it continues on the next one. */
  readonly text: string;
}

/** Finds the commands of the blocks that begin with ` ```sh `. */
const findShellCommands = (document: string, markdown: string): ShellCommand[] =>
  [...markdown.matchAll(/^( *)```(?:sh|bash|shell|console|zsh)\n(.*?)^\1```$/gms)]
    .flatMap(([, , code = '']) => code.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => line.replace(/(?:^|\s+)# .*$/, '').split(' && '))
    .map((text) => ({ document, text: text.trim() }))
    .filter(({ text }) => text !== '');

const GUIDE = 'docs/guides/command-line.md';

/** The blocks of the guide to the command line, which run as a whole. */
export const guideBlocks = [...read(GUIDE).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** The commands of the other documents. */
export const shellCommands = documents
  .filter((document) => document !== GUIDE)
  .flatMap((document) => findShellCommands(document, read(document)));

/** How tests prove commands, by how these begin. Every other command must be listed in idle.ts. */
const PROOFS = {
  setting: /^export \w+=\S+$/,
  installs: /^npm install /,
  'names a script': /^npx --yes pnpm@12 /,
  'runs in a session': /^curl .*4010\/(?:__mock\/(?:rows|faults|requests|reset)|api\/)/,
  runs: /^npx @confab\/(?:mock|webhooks)\b|^curl .*\/__mock\/worlds /,
};

type Proof = keyof typeof PROOFS;

export const isProven = ({ text }: ShellCommand): boolean =>
  Object.values(PROOFS).some((pattern) => pattern.test(text));

export const commandsProvenBy = (proof: Proof): ShellCommand[] =>
  shellCommands.filter(({ text }) => PROOFS[proof].test(text));
