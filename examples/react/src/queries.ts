import type { Confab, Lead, LeadStatus } from '@confab/client';
import type { QueryClient } from '@tanstack/react-query';
import { mutationOptions, queryOptions } from '@tanstack/react-query';

interface LeadsPage {
  readonly leads: readonly Lead[];
  readonly total: number;
}

/** The newest leads of a status. */
export const leadsQuery = (confab: Confab, status: LeadStatus) =>
  queryOptions({
    queryKey: ['leads', { status }],
    queryFn: async ({ signal }): Promise<LeadsPage> => {
      const { data, meta } = await confab.leads.list({ status, limit: 10 }, { signal });
      return { leads: data, total: meta.total };
    },
  });

/** Changes the status of a lead: in the lists at once, and back again if the service refuses. */
export const changeStatus = (confab: Confab, queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: async ({ id, status }: { id: string; status: LeadStatus }) =>
      await confab.leads.update(id, { status }),
    onMutate: async ({ id, status }) => {
      // A response that is on its way would undo the change.
      await queryClient.cancelQueries({ queryKey: ['leads'] });
      const before = queryClient.getQueriesData<LeadsPage>({ queryKey: ['leads'] });
      queryClient.setQueriesData<LeadsPage>(
        { queryKey: ['leads'] },
        (page) =>
          page && { ...page, leads: page.leads.map((lead) => (lead.id === id ? { ...lead, status } : lead)) },
      );
      return before;
    },
    onError: (_error, _change, before) => {
      for (const [queryKey, page] of before ?? []) {
        queryClient.setQueryData(queryKey, page);
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  });
