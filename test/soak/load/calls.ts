import type { Action, Context } from './context.ts';
import { below, pick } from './context.ts';

/** Rows of one kind that the load leaves in the served mock; older ones are deleted. */
const KEPT_ROWS = 200;

const deleteOldest = async (ids: string[], remove: (id: string) => Promise<boolean>): Promise<void> => {
  const id = ids.length > KEPT_ROWS ? ids.shift() : undefined;
  if (id !== undefined && !(await remove(id))) {
    throw new Error(`The row ${id} was gone before it was deleted.`);
  }
};

const keepLead = async ({ created, remote }: Context, id: string): Promise<void> => {
  created.leads.push(id);
  await deleteOldest(created.leads, (lead) => remote.leads.delete(lead));
};

const keepMessage = async ({ created, remote }: Context, id: string): Promise<void> => {
  created.messages.push(id);
  await deleteOldest(created.messages, (message) => remote.messages.delete(message));
};

let lastPhone = 0;

/** A phone that no lead has. */
const nextPhone = (): string => {
  lastPhone = (lastPhone + 1) % 100_000_000;
  return `+4479${String(lastPhone).padStart(8, '0')}`;
};

const someLead = async ({ confab, latencies }: Context): Promise<string> => {
  const query = { limit: 10, offset: below(40) };
  const { data } = await latencies.time(async () => confab.leads.list(query));
  return pick(data).id;
};

const someConversation = async ({ confab, latencies }: Context): Promise<string> => {
  const { data } = await latencies.time(async () => confab.conversations.list({ limit: 10 }));
  return pick(data).id;
};

/** Lists, and reads some of what it found. A lead that was found may have been deleted since, so it is not read. */
const read: Action = async (context) => {
  const { confab, latencies, created } = context;
  await someLead(context);
  const lead = created.leads.at(-1 - below(20));
  if (lead !== undefined) {
    await latencies.time(async () => confab.leads.get(lead));
  }
  const id = await someConversation(context);
  await latencies.time(async () => confab.conversations.get(id, { messagesLimit: 5 }));
};

/** Walks through every page of a list that changes at the same time. */
const walk: Action = async ({ confab, outcomes }) => {
  const seen = new Set<string>();
  for await (const { id } of confab.leads.list({ limit: 50 })) {
    seen.add(id);
  }
  const rest = await confab.conversations.list({ limit: 10 }).all({ concurrency: 2 });
  if (seen.size < 60 || rest.length < 30) {
    throw new Error(`Lists are short: ${seen.size} leads and ${rest.length} conversations.`);
  }
  outcomes.count('list read to its end');
};

const write: Action = async (context) => {
  const { confab, latencies } = context;
  const phone = nextPhone();
  const { id } = await latencies.time(async () => confab.leads.create({ phone, displayName: 'Soak' }));
  await latencies.time(async () => confab.leads.update(id, { status: 'active', notes: 'Called back.' }));
  const { created } = await confab.leads.ensure({ phone });
  if (created) {
    throw new Error(`leads.ensure created a second lead with ${phone}.`);
  }
  await keepLead(context, id);
};

const importRows: Action = async (context) => {
  const rows = Array.from({ length: 5 }, () => ({ phone: nextPhone() }));
  for await (const { status, lead } of context.confab.leads.ensureMany(rows)) {
    if (status !== 'created' || lead === undefined) {
      throw new Error(`leads.ensureMany returned ${status} for a new phone.`);
    }
    await keepLead(context, lead.id);
  }
};

const converse: Action = async (context) => {
  const { confab, latencies } = context;
  const id = await someConversation(context);
  const message = await latencies.time(async () =>
    confab.conversations.sendMessage(id, { content: 'Hello from the soak. '.repeat(1 + below(20)) }),
  );
  await keepMessage(context, message.id);
};

const invoke: Action = async ({ confab, latencies }) => {
  const [agent] = await latencies.time(async () => confab.agents.list());
  if (agent === undefined) {
    throw new Error('The demo data has no agent.');
  }
  await latencies.time(async () => confab.agents.invoke(agent.id, { userMessage: 'What is the price?' }));
};

const report: Action = async ({ confab, latencies }) => {
  await latencies.time(async () => confab.analytics.funnel({ from: '2020-01-01T00:00:00Z' }));
  await latencies.time(async () =>
    confab.request({ method: 'GET', path: '/api/v2/public/agents', query: {} }),
  );
};

/** A message from one of 50 leads, which three endpoints of webhooks receive. */
const inbound: Action = async (context) => {
  const phone = `+4478${String(below(50)).padStart(8, '0')}`;
  const { message } = await context.remote.inbound({ phone, body: 'Is it still available?' });
  await keepMessage(context, message.id);
};

/** Calls of the API that must succeed, each with its share. */
export const calls: readonly (readonly [weight: number, action: Action])[] = [
  [30, read],
  [1, walk],
  [15, write],
  [2, importRows],
  [8, converse],
  [10, invoke],
  [8, report],
  [2, inbound],
];
