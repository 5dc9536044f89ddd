import { API_VERSION } from '../contract/index.ts';

/** What both documents say about the API. */
export const API_INFO = {
  title: 'Conversation and lead API',
  version: API_VERSION,
  contact: { name: 'API support', url: 'https://confab.test/support', email: 'support@confab.test' },
};

/** The license of both documents, by its SPDX identifier. */
export const LICENSE_ID = 'MIT';
