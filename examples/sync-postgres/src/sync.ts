import type { Confab, ConversationDetail, Lead } from '@confab/client';
import { NotFoundError } from '@confab/client';
import type { Database, Sql } from './database.ts';
import type { Kind } from './rows.ts';
import * as rows from './rows.ts';

const ignoreNotFound = (error: unknown): undefined => {
  if (!(error instanceof NotFoundError)) {
    throw error;
  }
};

/** Creates the functions that copy an account. Each can be killed at any moment and run again. */
export const createSync = (confab: Confab, { transaction }: Database, log: (line: string) => void) => {
  /** Copies a row, in one transaction: a conversation with its latest 100 messages. */
  const copy = async (kind: Kind, id: string, run: <T>(save: (sql: Sql) => Promise<T>) => Promise<T>) => {
    const asOf = new Date();
    const call =
      kind === 'leads' ? confab.leads.get(id) : confab.conversations.get(id, { messagesLimit: 100 });
    const found: Lead | ConversationDetail | undefined = await call.catch(ignoreNotFound);
    await run(async (sql) => {
      await (found === undefined
        ? rows.markAsGone(sql, kind, id, asOf)
        : rows.saveRows(sql, kind, [found], asOf));
      await (found !== undefined && 'messages' in found && rows.saveMessages(sql, found.messages));
    });
  };

  /** Saves the messages since the checkpoint. */
  const catchUp = async () => {
    const saved = await transaction(rows.readCheckpoint);
    const since = saved ?? new Date(Date.now() - 3_600_000).toISOString();
    if (saved === undefined) {
      // From here on, messages that are written during the first copy are found, even after a crash.
      await transaction((sql) => rows.saveCheckpoint(sql, since));
    }
    const pass = confab.conversations.messagesSince(since, { concurrency: 8 });
    let count = 0;
    for await (const { conversation, messages, isComplete } of pass) {
      count += messages.length;
      if (!isComplete) {
        log(`${conversation.id} has more new messages than the API returns.`);
      }
      const [unknown] = await transaction((sql) => rows.unknownIds(sql, 'conversations', [conversation.id]));
      await (unknown === undefined
        ? transaction((sql) => rows.saveMessages(sql, messages))
        : copy('conversations', unknown, transaction));
    }
    await transaction((sql) => rows.saveCheckpoint(sql, pass.checkpoint ?? since));
    log(`Caught up with ${count} messages since ${since}.`);
  };

  /** Compares all rows of a kind with the list. The first time, this copies them; later, it finds what changed. */
  const compare = async (kind: Kind) => {
    const began = new Date();
    let asOf = began;
    for await (const page of confab[kind].list().pages()) {
      const ids = page.data.map(({ id }) => id);
      // A conversation is saved together with its messages, so a first copy that was killed continues here.
      const missing = kind === 'leads' ? [] : await transaction((sql) => rows.unknownIds(sql, kind, ids));
      await Promise.all(missing.map((id) => copy(kind, id, transaction)));
      const known = page.data.filter(({ id }) => !missing.includes(id));
      await transaction((sql) => rows.saveRows(sql, kind, known, asOf));
      log(`${page.progress.rows} of ${page.progress.total} ${kind}`);
      // The next page is requested after this.
      asOf = new Date();
    }
    // A row that moved within the list may not have been read. Only a 404 proves that it is gone.
    for (const id of await transaction((sql) => rows.notSeenSince(sql, kind, began))) {
      await copy(kind, id, transaction);
    }
  };

  return {
    copy,
    async syncAll() {
      await catchUp();
      await compare('conversations');
      await compare('leads');
    },
  };
};
