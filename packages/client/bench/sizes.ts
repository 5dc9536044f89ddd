import { measureBundles } from '../../../scripts/bench/bundle-sizes.ts';
import { OURS } from './calls.ts';

const ENTRIES = {
  [OURS]: `export { createClient } from '../dist/index.js'`,
  'ky, zod/mini and the contract alone': `export { default } from 'ky'; export * from '../dist/contract/index.js'`,
  ky: `export { default } from 'ky'`,
  openai: `export { default } from 'openai'`,
  stripe: `export { default } from 'stripe'`,
  '@workos-inc/node': `export { WorkOS } from '@workos-inc/node'`,
  resend: `export { Resend } from 'resend'`,
  octokit: `export { Octokit } from 'octokit'`,
};

/** Bytes that each client adds to a page. */
export const compareSizes = (): Promise<Map<string, number>> => measureBundles(ENTRIES, import.meta.dirname);
