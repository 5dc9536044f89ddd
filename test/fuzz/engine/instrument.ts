import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { addCounters } from './add-counters.ts';
import { newBranch } from './coverage.ts';

const SOURCE = /\/packages\/(?:client|webhooks|mock|internal)\/src\/.*\.ts$/;

const words = new Set<string>();

/** Adds counters to each module of the packages that is imported from now on. */
export const instrumentPackages = (): void => {
  const coverage = new URL('coverage.ts', import.meta.url).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      if (!SOURCE.test(url)) {
        return nextLoad(url, context);
      }
      const { source, words: found } = addCounters(
        readFileSync(fileURLToPath(url), 'utf8'),
        coverage,
        newBranch,
      );
      for (const word of found) {
        words.add(word);
      }
      return { format: 'module', source, shortCircuit: true };
    },
  });
};

/** The literals of the modules that were imported so far. */
export const wordsOfSources = (): string[] => [...words];
