export { packageVersion } from './package-version.ts';
export type { FlagsConfig } from './parse-flags.ts';
export { asksFor, didYouMean, parseFlags } from './parse-flags.ts';
export { printable } from './printable.ts';
export { UsageError } from './usage-error.ts';
