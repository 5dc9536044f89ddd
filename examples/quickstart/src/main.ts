/**
 * A tour of the whole API. Each step checks its result. If a step fails, the program stops with an error and a nonzero
 * exit status.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { ConflictError, createClient, PermissionError } from '@confab/client';
import { startService } from './service.ts';
import { say, step, succeed } from './transcript.ts';

const { inspect } = parseArgs({ options: { inspect: { type: 'boolean' } } }).values;

const service = await startService();
console.log(`The mock runs at ${service.baseUrl}, the webhook receiver at ${service.receiverUrl}.`);

const { baseUrl, apiKey } = service;
const confab = createClient({ baseUrl, apiKey });

step('List the open conversations', "await confab.conversations.list({ status: 'open' })");
const open = await confab.conversations.list({ status: 'open' });
const conversation = open.data[0];
assert(conversation, 'The sample data must contain an open conversation');
assert(open.data.every(({ status }) => status === 'open'));
say(
  `${open.meta.total} are open, ${open.data.length} on this page; the newest came over ${conversation.channel}.`,
);

step('Iterate over all leads', 'for await (const lead of confab.leads.list())');
const byStatus = new Map<string, number>();
let total = 0;
for await (const { status } of confab.leads.list()) {
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  total += 1;
}
assert.equal(total, (await confab.leads.list({ limit: 1 })).meta.total);
say(`${total} leads: ${[...byStatus].map(([status, count]) => `${count} ${status}`).join(', ')}.`);

step('Create a lead', "await confab.leads.create({ phone: '+44 20 7946 0958', displayName: 'Ada' })");
const phone = '+44 20 7946 0958';
const lead = await confab.leads.create({ phone, displayName: 'Ada', source: 'quickstart' });
assert.equal(lead.phone, '+442079460958');
say(`Lead ${lead.id} is ${lead.status}; the service stores the phone as ${lead.phone}.`);

step('Create it again', 'the service returns 409');
await assert.rejects(confab.leads.create({ phone }), (error) => {
  assert(error instanceof ConflictError);
  say(`${error.name}: ${error.message}`);
  return true;
});
const ensured = await confab.leads.ensure({ phone });
assert.deepEqual(ensured, { lead, status: 'existing' });
say('confab.leads.ensure({ phone }) returns the existing lead.');

step('Qualify it', "await confab.leads.update(lead.id, { status: 'qualified' })");
const qualified = await confab.leads.update(lead.id, { status: 'qualified' });
assert.equal(qualified.status, 'qualified');
say(`${qualified.displayName} was ${lead.status} and is ${qualified.status}.`);

step(
  'Send a message, and receive its event as a signed webhook',
  'await confab.conversations.sendMessage(conversation.id, { content })',
);
const delivered = service.nextMessage();
const content = 'We will call you back on Monday.';
const message = await confab.conversations.sendMessage(conversation.id, { content });
say(`Sent: ${message.direction} message ${message.id}.`);
const { data } = await delivered;
assert.deepEqual(data, { conversationId: conversation.id, channel: conversation.channel, body: content });
say(`Received, signature verified: message.created over ${data.channel}, "${data.body}"`);

step(
  'Invoke an agent',
  "await confab.agents.invoke(agent.id, { userMessage: 'Do you deliver on Sundays?' })",
);
const [agent] = await confab.agents.list();
assert(agent, 'The sample data must contain an agent');
const reply = await confab.agents.invoke(agent.id, { userMessage: 'Do you deliver on Sundays?' });
assert(reply.text.length > 0);
say(`${agent.name} says "${reply.text}" for ${reply.tokensIn} tokens in and ${reply.tokensOut} out.`);

step('Read the funnel', 'await confab.analytics.funnel()');
const funnel = await confab.analytics.funnel();
assert.equal(funnel.conversionRate, funnel.converted / funnel.newLeads);
say(
  `${funnel.newLeads} new leads, ${funnel.qualified} qualified, ${funnel.converted} converted: ${(funnel.conversionRate * 100).toFixed(1)} %.`,
);

step('Write with a key that may only read leads', 'the service returns 403 and names the missing scope');
const readOnly = createClient({ baseUrl, apiKey: service.readOnlyKey });
await assert.rejects(readOnly.leads.update(lead.id, { status: 'lost' }), (error) => {
  assert(error instanceof PermissionError);
  assert.equal(error.missingScope, 'write:leads');
  say(`${error.name}, missingScope ${error.missingScope}`);
  return true;
});

step('Send six requests with a limit of five in two seconds', 'the client waits and continues');
let limited = 0;
const slow = createClient({
  baseUrl,
  apiKey: service.slowKey,
  hooks: {
    onRateLimit({ limit, retryAfterMs }) {
      limited += 1;
      say(`429: ${limit} requests are allowed; waiting ${retryAfterMs} ms, as Retry-After asks.`);
    },
  },
  // The client would learn "5 per minute" from the response, but the window of this key is shorter.
  rateLimit: false,
});
for (let count = 1; count <= 6; count += 1) {
  const { response } = await slow.leads.get(lead.id).withResponse();
  assert.equal(response.status, 200);
  if (response.attempts > 1) {
    say(`Request ${count} succeeded with status ${response.status} on attempt ${response.attempts}.`);
  }
}
assert.equal(limited, 1);

succeed('Every step succeeded.');
if (inspect) {
  console.log(`
The mock is still running. Its inspector shows the rows, the requests and the deliveries of this tour:

  ${await service.inspect()}

Press Ctrl+C to stop.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} else {
  console.log(`
Next:
  npx --yes pnpm@12 demo --inspect   look at the requests of this tour in your browser
  examples/quickstart/src/main.ts    read the code of this tour
  docs/guides/getting-started.md     make your own first call
  docs/guides/testing.md             test your code against the mock
  docs/guides/webhooks.md            receive events
  examples/                          start from a program: a receiver, an import, a front end, an MCP server`);
}
await service.close();
