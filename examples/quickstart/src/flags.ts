import { parseArgs } from 'node:util';

/** Reads the flags of the program. Ends it with exit code 2 if they are invalid. */
export const readFlags = (): { readonly inspect: boolean } => {
  try {
    return parseArgs({ options: { inspect: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} The only flag is --inspect.`);
    return process.exit(2);
  }
};
