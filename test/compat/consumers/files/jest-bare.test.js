/* Jest's own jsdom has no fetch, no Response and no TextDecoder. Importing our packages must work there. */
test('the environment has no fetch, no Response and no TextDecoder', () => {
  expect([typeof fetch, typeof Response, typeof TextDecoder]).toEqual([
    'undefined',
    'undefined',
    'undefined',
  ]);
});

test.each(['@confab/client', '@confab/client/contract', '@confab/webhooks'])(
  'importing %s does not throw',
  async (name) => {
    await expect(import(name)).resolves.toBeDefined();
  },
);
