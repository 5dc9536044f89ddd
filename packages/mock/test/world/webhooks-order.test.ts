import { expect, onTestFinished, test, vi } from 'vitest';

test('events leave in the order in which they happened, however long signing takes', async () => {
  // Without node:crypto, signing is left to threads, and a short body overtakes a long one.
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  onTestFinished(() => builtin.mockRestore());
  const { createMock } = await import('../../src/index.ts');

  const mock = createMock();
  const left: Request[] = [];
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret: 'whsec_0123456789',
    fetch: (request) => {
      left.push(request);
      return new Response(null, { status: 204 });
    },
  });
  mock.webhooks.emit('long', 'x'.repeat(8_000_000));
  mock.webhooks.emit('short', '');
  await mock.webhooks.flush();
  const bodies = await Promise.all(left.map((request) => request.json()));
  expect(bodies).toMatchObject([{ event: 'long' }, { event: 'short' }]);
});
