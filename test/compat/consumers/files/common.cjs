/** What a user of CommonJS writes. Both ways must load one copy, or `instanceof` fails. */
const { createClient, ConfabError } = require('@confab/client');
const { operations } = require('@confab/client/contract');
const { createWebhooks } = require('@confab/webhooks');
const { createMock } = require('@confab/mock');

const main = async () => {
  const mock = createMock();
  const confab = createClient(mock.clientOptions);
  const error = await confab.leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11').catch((error) => error);
  const { ConfabError: imported } = await import('@confab/client');
  if (!(error instanceof ConfabError) || imported !== ConfabError) {
    throw new Error('require() and import do not share a copy of @confab/client.');
  }
  if (!operations['leads.get'] || !createWebhooks) {
    throw new Error('An export is missing.');
  }
};
main();
