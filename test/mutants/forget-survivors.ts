import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

interface Results {
  readonly files: Record<string, { mutants: readonly { readonly status: string }[] }>;
}

/**
 * Takes the survivors in some files out of the results that the next run starts from. Stryker would keep that of a constant, whatever tests
 * were added: it doesn't know which tests read constants.
 */
export const forgetSurvivors = (file: string, patterns: readonly string[]): void => {
  if (!existsSync(file)) {
    return;
  }
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  for (const [path, each] of Object.entries(results.files)) {
    if (!patterns.some((pattern) => matchesGlob(path, pattern))) {
      continue;
    }
    each.mutants = each.mutants.filter(({ status }) => status !== 'Survived' && status !== 'NoCoverage');
  }
  writeFileSync(file, JSON.stringify(results));
};
