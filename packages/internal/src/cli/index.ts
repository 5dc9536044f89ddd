export { integerFlag } from './integer-flag.ts';
export { packageVersion } from './package-version.ts';
export { printable } from './printable.ts';
export { createProgram, runProgram, usageErrorFrom } from './program.ts';
export { UsageError } from './usage-error.ts';
