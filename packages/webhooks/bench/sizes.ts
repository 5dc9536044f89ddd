import { measureBundles } from '../../../scripts/bench/bundle-sizes.ts';

export const RECEIVER = '`createWebhooks`';
export const SIGN = '`sign` alone';

const ENTRIES = {
  [RECEIVER]: `export { createWebhooks } from '../dist/index.js'`,
  [SIGN]: `export { sign } from '../dist/index.js'`,
  standardwebhooks: `export { Webhook } from 'standardwebhooks'`,
  svix: `export { Webhook } from 'svix'`,
  '@octokit/webhooks-methods': `export { verify } from '@octokit/webhooks-methods'`,
  stripe: `export { default } from 'stripe'`,
};

/** Measures the bytes that each entry adds to a bundle. */
export const compareSizes = (): Promise<Map<string, number>> => measureBundles(ENTRIES, import.meta.dirname);
