#!/usr/bin/env node
import { HELP } from './help.ts';
import { parseFlags } from './parse-flags.ts';
import { start } from './start.ts';
import { UsageError } from './usage-error.ts';

const print = (text: string): void => {
  process.stdout.write(text);
};

try {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) {
    print(HELP);
  } else {
    const stop = await start(flags, print);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        stop().then(
          () => process.exit(0),
          (error: unknown) => {
            process.stderr.write(`confab-mock: ${error instanceof Error ? error.message : error}\n`);
            process.exit(1);
          },
        );
      });
    }
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`confab-mock: ${error.message}\n`);
  process.exitCode = 2;
}
