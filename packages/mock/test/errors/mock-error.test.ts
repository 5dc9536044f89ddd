import { expect, test } from 'vitest';
import { CollectionError, createMock, MockClosedError, MockError } from '../../src/index.ts';

test('errors of closed mocks and of rows are MockErrors with a code and a name of their own', async () => {
  const mock = createMock();
  expect(() => mock.leads.create({ id: 'seven' })).toThrow(
    expect.objectContaining({ code: 'INVALID_ROW', name: 'CollectionError' }),
  );
  await expect(mock.fetch('https://elsewhere.test/')).rejects.toMatchObject({
    ...{ code: 'WRONG_ORIGIN', name: 'MockError' },
    message: expect.stringContaining('Use mock.baseUrl as the base URL'),
  });
  await mock.close();
  await expect(mock.inbound({ phone: '+5511987654321', body: 'Hi' })).rejects.toMatchObject({
    ...{ code: 'MOCK_CLOSED', name: 'MockClosedError' },
    message: expect.stringContaining('mock.inbound() needs an open one'),
  });
  for (const { prototype } of [MockClosedError, CollectionError]) {
    expect(prototype).toBeInstanceOf(MockError);
  }
});
