import type { Confab } from '@confab/client';
import type { Database } from './database.ts';
import { findDifferences } from './rows.ts';

/** Compares the copy with the service. Returns a line for each row that differs. */
export const verifyCopy = (confab: Confab, { transaction }: Database): Promise<string[]> =>
  transaction(async (sql) => {
    const differences: string[] = [];
    for (const kind of ['conversations', 'leads'] as const) {
      differences.push(...(await findDifferences(sql, kind, await confab[kind].list().all(), 'full')));
    }
    for await (const { id } of confab.conversations.list()) {
      const { messages } = await confab.conversations.get(id, { messagesLimit: 100 });
      // The copy may have older messages, which the API no longer returns.
      differences.push(...(await findDifferences(sql, 'messages', messages, 'left')));
    }
    return differences;
  });
