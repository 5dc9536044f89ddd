import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './engine/fuzz.ts';

const filesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.txt'))
        .toSorted()
        .map((name) => join(folder, name))
    : [];

/** The files of a target's corpus. */
export const corpusFiles = (target: string): string[] => filesOf(join(import.meta.dirname, 'corpus', target));

/** The inputs that once failed. */
export const findingFiles = (target: string): string[] =>
  filesOf(join(import.meta.dirname, 'findings', target));

/** Every input of a target that the repository keeps. */
export const keptInputs = (target: string): Buffer[] =>
  [...corpusFiles(target), ...findingFiles(target)].map((path) => readFileSync(path));

const digestOf = (input: Uint8Array): string => createHash('sha256').update(input).digest('hex').slice(0, 12);

/** Writes a finding, with a note on what failed and how to repeat it. Returns the command. */
export const writeFinding = (target: string, { input, error }: Finding): string => {
  const folder = join(import.meta.dirname, 'findings', target);
  const name = digestOf(input);
  const command = `pnpm test:fuzz ${target} --input proof/fuzz/findings/${target}/${name}.txt`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.txt`), input);
  const note = join(folder, `${name}.md`);
  // Of a finding that recurs, the note may already name the cause and the fix.
  if (!existsSync(note)) {
    const title = `# ${error.name}: ${error.message.split('\n')[0]}`;
    writeFileSync(note, `${title}\n\n\`\`\`sh\n${command}\n\`\`\`\n`);
  }
  return command;
};
