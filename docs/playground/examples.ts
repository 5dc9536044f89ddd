import agentConversation from './examples/agent-conversation.ts?raw';
import bulkImport from './examples/bulk-import.ts?raw';
import forgedDelivery from './examples/forged-delivery.ts?raw';
import pagingWhileWriting from './examples/paging-while-writing.ts?raw';
import retriesAndFaults from './examples/retries-and-faults.ts?raw';
import waitOutA429 from './examples/wait-out-a-429.ts?raw';

export interface Example {
  readonly title: string;
  readonly program: string;
}

/** The examples. The page opens with the first. */
export const EXAMPLES: readonly [Example, ...Example[]] = [
  { title: 'Wait out a 429', program: waitOutA429 },
  { title: 'Page through a list while changing it', program: pagingWhileWriting },
  { title: 'Refuse a forged delivery', program: forgedDelivery },
  { title: 'Retries and faults', program: retriesAndFaults },
  { title: 'Bulk import with duplicates', program: bulkImport },
  { title: 'An agent that responds to a lead', program: agentConversation },
];
