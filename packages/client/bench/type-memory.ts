import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { median } from '../../../scripts/bench/measure.ts';
import { KY, OURS } from './calls.ts';

/** One call with each package, as its users write it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'no package, one call of `fetch`': `
    export const read = async (): Promise<string> => (await fetch('https://api.example.com')).text();`,
  [KY]: `
    import ky from 'ky';
    export const read = async (): Promise<string> => {
      const { status } = await ky.get('https://api.example.com/leads/id').json<{ status: string }>();
      return status;
    };`,
  [OURS]: `
    import { createClient } from '@confab/client';
    export const read = async (): Promise<string> => {
      const { status } = await createClient({ apiKey: 'key', baseUrl: 'https://api.example.com' }).leads.get('id');
      return status;
    };`,
  openai: `
    import OpenAI from 'openai';
    export const read = async (): Promise<string> => {
      const { status } = await new OpenAI({ apiKey: 'key' }).batches.retrieve('id');
      return status;
    };`,
};

const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  types: [],
};

const RUNS = 5;

/** The memory and the files that the compiler needs for a program. */
export interface TypeMemory {
  readonly name: string;
  /** Megabytes, as `tsc --extendedDiagnostics` reports them: the median over all runs. */
  readonly megabytes: number;
  readonly files: number;
}

const reported = (output: string, what: string): number =>
  Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(output)?.[1] ?? Number.NaN);

/** The memory of `tsc` for a program that makes one call with a package. */
export const compareTypeMemory = (project: string): TypeMemory[] => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const tsconfig = join(project, 'tsconfig.json');
  return Object.entries(PROGRAMS).map(([name, program]) => {
    writeFileSync(join(project, 'program.ts'), program);
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] }));
    const outputs = Array.from({ length: RUNS }, () =>
      execFileSync(process.execPath, [tsc, '-p', tsconfig, '--extendedDiagnostics'], { encoding: 'utf8' }),
    );
    return {
      name,
      megabytes: median(outputs.map((output) => reported(output, 'Memory used'))) / 1000,
      files: reported(outputs[0] ?? '', 'Files'),
    };
  });
};
