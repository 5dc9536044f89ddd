import { createServer } from 'node:http';
import { createClient } from '@confab/client';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { postgresInbox } from '@confab/webhooks/postgres';
import { program } from 'commander';
import type { Sql } from './database.ts';
import { openDatabase } from './database.ts';
import { createSync } from './sync.ts';
import { verifyCopy } from './verify.ts';

const options = program
  .name('sync-postgres')
  .description('Copies an account to Postgres, and keeps the copy current until it is stopped.')
  .option('--once', 'end once the copy is current: for a nightly copy')
  .option('--folder <path>', 'folder of the database, unless DATABASE_URL names a server', 'copy-of-account')
  .option('--port <number>', 'port for webhooks', Number, 8787)
  .option('--verify', 'compare the copy with the service, and print what differs')
  .parse()
  .opts<{ folder: string; port: number; once?: true; verify?: true }>();

const confab = createClient();
const database = await openDatabase(process.env.DATABASE_URL, options.folder);

const { syncAll, copy } = createSync(confab, database, console.log);
if (options.verify) {
  const differences = await verifyCopy(confab, database);
  console.log([...differences, `${differences.length} differences`].join('\n'));
  process.exit(differences.length === 0 ? 0 : 1);
}
if (options.once) {
  await syncAll();
  process.exit();
}

const inbox = postgresInbox({
  pool: database.pool,
  key: ({ headers }) => headers.get('x-delivery-id') ?? undefined,
});
await inbox.migrate();
const webhooks = createWebhooks({
  secret: process.env.CONFAB_WEBHOOK_SECRET ?? '',
  signature: { header: 'x-webhook-signature' },
  dedupe: inbox,
});
// The event has neither the id of the message nor its author, so the conversation is read. One transaction saves its
// messages and the id of the delivery.
webhooks.on('message.created', ({ data }, { tx }) =>
  copy('conversations', data.conversationId, (save) => save(tx as Sql)),
);
webhooks.onError((error) => console.error(error.message));

// The receiver starts before the copy, so that no message is missed between the two.
createServer(toNodeHandler(webhooks)).listen(options.port, '127.0.0.1', () => console.log('Receiving.'));
await syncAll();
console.log('The copy is current.');
