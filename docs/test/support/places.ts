import type { CodeBlock } from './code-blocks.ts';

/**
 * Where a block runs: in a `process` of its own, under `vitest`, under `playwright`, or on a `stage`, where a mock stands
 * for the service and the names of the prelude have values.
 */
export type Place = 'process' | 'vitest' | 'playwright' | 'stage';

export const placeOf = ({ code, runs }: CodeBlock): Place => {
  if (runs) {
    return 'process';
  }
  if (/from '@(?:confab\/mock|playwright)\/(?:playwright|test)'/.test(code)) {
    return 'playwright';
  }
  return /^(?:test|beforeAll)[.(]/m.test(code) ? 'vitest' : 'stage';
};
