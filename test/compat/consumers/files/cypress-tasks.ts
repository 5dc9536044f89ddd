/** The tasks of a Cypress project: Cypress runs them in Node, and its tests call them from the browser with `cy.task`. */
import { connectMock } from '@confab/mock/remote';

export const mockTasks = async (url: string) => {
  const mock = await connectMock(url);
  return {
    async reset() {
      await mock.reset();
      // Cypress expects null from a task that returns nothing.
      return null;
    },
    createLead: (lead: Parameters<typeof mock.leads.create>[0]) => mock.leads.create(lead),
    failOnce: ({ operation, status }: { operation: 'leads.create'; status: number }) =>
      mock.faults.once(operation, { status }),
    countRequests: (pattern: Parameters<typeof mock.requests.count>[0]) => mock.requests.count(pattern),
  };
};
