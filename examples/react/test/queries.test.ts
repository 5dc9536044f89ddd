import { test } from '@confab/mock/vitest';
import { QueryClient } from '@tanstack/react-query';
import { expect } from 'vitest';
import { changeStatus, leadsQuery } from '../src/queries.ts';

test('a new status shows at once, and the old one if the service refuses it', async ({ mock, confab }) => {
  const { id } = mock.leads.create({ status: 'new' });
  const queryClient = new QueryClient();
  const query = leadsQuery(confab, 'new');
  await queryClient.fetchQuery(query);
  const shown = () => queryClient.getQueryData(query.queryKey)?.leads.map(({ status }) => status);

  let shownMeanwhile: unknown;
  mock.faults.once('leads.update', () => {
    shownMeanwhile = shown();
    return { status: 403 };
  });
  const mutation = queryClient.getMutationCache().build(queryClient, changeStatus(confab, queryClient));
  await expect(mutation.execute({ id, status: 'lost' })).rejects.toThrow('403');
  expect(shownMeanwhile).toEqual(['lost']);
  expect(shown()).toEqual(['new']);
});
