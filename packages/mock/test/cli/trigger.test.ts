import { UsageError } from '@confab/internal/cli';
import { freePort } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess, writeTempFile } from '../support/command.ts';
import { PHONE } from '../support/hosts.ts';
import { keeper, receiver } from '../support/receiver.ts';
import { makeWorld, start } from '../support/serving.ts';

/** Runs a command to its end. Resolves to what it printed, its warnings and its exit code. */
const command = async (...args: string[]) => {
  onTestFinished(() => {
    process.exitCode = undefined;
  });
  process.exitCode = undefined;
  const { printed, warned } = await runInProcess(...args);
  return { output: printed.join(''), warned, code: process.exitCode ?? 0 };
};

/** The message with which a command line is refused. */
const refusalOf = async (...args: string[]): Promise<string> => {
  const error = await command(...args).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
};

const HELLO = { conversationId: 'c', channel: 'live_chat', body: 'Hello' };

test('emit sends an event to the endpoints of a running mock, and prints their responses', async () => {
  const { mock, server } = await start();
  const { events, endpoint } = receiver(204);
  mock.webhooks.add(endpoint);
  mock.webhooks.emit('order.paid', { total: 5 });
  const { output, code } = await command('emit', 'order.paid', '--url', server.url, '--data', '{"total":5}');
  expect(output).toMatch(
    /^\S+Z 204 POST https:\/\/receiver\.test\/webhooks \d+ ms \(delivery of order\.paid, attempt 1\)\n$/,
  );
  expect(code).toBe(0);
  const paid = { event: 'order.paid', data: { total: 5 } };
  expect(events).toEqual([paid, paid]);
});

test('emit reads its data from a file, and sends an empty object by default', async () => {
  const { mock, server } = await start();
  const { events, endpoint } = receiver();
  mock.webhooks.add(endpoint);
  const file = writeTempFile('hello.json', JSON.stringify(HELLO));
  await command('emit', 'message.created', '--url', server.url, '--data', `@${file}`);
  await command('emit', 'ping', '--url', `${server.url}/__mock/`);
  expect(events).toEqual([
    { event: 'message.created', data: HELLO },
    { event: 'ping', data: {} },
  ]);
});

test('emit sends no event with a misspelled name, and suggests message.created', async () => {
  const { mock, server } = await start();
  const { events, endpoint } = receiver();
  mock.webhooks.add(endpoint);
  const refusal = await refusalOf('emit', 'message.create', '--url', server.url);
  expect(refusal).toBe('The API documents no event "message.create". Did you mean "message.created"?');
  expect(events).toEqual([]);
});

test('emit exits with 1 if an endpoint refuses the delivery, or if a fault loses it', async () => {
  const { mock, server } = await start();
  mock.webhooks.add({ ...keeper(400).endpoint, retries: [60_000] });
  const refused = await command('emit', 'ping', '--url', server.url);
  expect(refused.output).toContain(' 400 POST ');
  expect(refused.code).toBe(1);
  mock.webhooks.deliveryFaults.once({ copies: 0 });
  const lost = await command('emit', 'ping', '--url', server.url);
  expect(lost).toEqual({
    output: '',
    warned: ['The event was not delivered, because of a planned delivery fault with `copies: 0`.'],
    code: 1,
  });
});

test('inbound sends a message of a lead in a new or an existing conversation', async () => {
  const { mock, server } = await start();
  const { events, endpoint } = receiver();
  mock.webhooks.add(endpoint);
  const hello = ['--phone', PHONE, '--body', 'Hello', '--channel', 'sms'];
  const first = await command('inbound', '--url', server.url, ...hello);
  const [conversation] = mock.conversations.find();
  expect(first.output).toMatch(
    /^lead \S+\nconversation \S+\nmessage \S+\n\S+Z 200 POST .*message\.created, attempt 1/,
  );
  expect(first.output).toContain(`conversation ${conversation?.id}\n`);
  const args = ['--conversation', String(conversation?.id), '--body', 'Again'];
  expect((await command('inbound', '--url', server.url, ...args)).code).toBe(0);
  expect(events).toMatchObject([
    { data: { channel: 'sms', body: 'Hello' } },
    { data: { conversationId: conversation?.id, body: 'Again' } },
  ]);
});

test('emit and inbound read the URL and the token from environment variables, and accept the URL of a world', async () => {
  const { server } = await start({ adminToken: 'secret-token' });
  const { env } = process;
  onTestFinished(() => {
    process.env = env;
  });
  process.env = { ...env, CONFAB_MOCK_URL: server.url };
  expect(await refusalOf('inbound', '--phone', PHONE, '--body', 'x')).toContain(
    'Pass it with --admin-token, or set CONFAB_MOCK_ADMIN_TOKEN.',
  );
  process.env.CONFAB_MOCK_ADMIN_TOKEN = 'secret-token';
  const { code, warned } = await command('inbound', '--phone', PHONE, '--body', 'x');
  expect([code, warned]).toEqual([0, ['No endpoint is registered, so no event was sent.']]);

  const { server: open } = await start();
  const { baseUrl, control } = await makeWorld(open);
  await command('inbound', '--url', baseUrl, '--admin-token', 'x', '--phone', PHONE, '--body', 'Hello');
  expect(await control('GET', 'rows/leads')).toMatchObject({ meta: { total: 1 } });
});

const NOWHERE = `http://127.0.0.1:${await freePort()}`;
const TO = ['--body', 'x', '--phone', PHONE];

test.each<[args: string[], says: string | RegExp]>([
  [
    ['emit', 'ping', '--url', NOWHERE],
    /^No mock responded at .*npx @confab\/mock\. Pass its address with --url, or set CONFAB_MOCK_URL\.$/,
  ],
  [['emit', 'ping', '--url', 'localhost'], /^--url must be an http or https URL/],
  [['emit', 'ping', '--data', '{secret'], `or @file.json, or - for standard input`],
  [['emit', 'ping', '--data', '@none.json'], 'none.json does not exist'],
  [['emit'], /^<event> is required\. See confab-mock emit --help\.$/],
  [['inbound', '--phone', PHONE], '--body'],
  [['inbound', '--body', 'x'], /^Pass either --phone or --conversation/],
  [['inbound', ...TO, '--conversation', 'c'], /^Pass either --phone or --conversation/],
  [['inbound', '--body', 'x', '--conversation', 'none'], 'no conversation has the id none'],
  [['inbound', '--body', 'x', '--phone', '123'], 'phone'],
])('the command %j is refused with a message that says what to do and quotes no data', async (args, says) => {
  const { mock, server } = await start();
  mock.webhooks.add(keeper().endpoint);
  const refusal = await refusalOf(...args, ...(args.includes('--url') ? [] : ['--url', server.url]));
  expect(refusal).toMatch(says);
  expect(refusal).not.toContain('secret');
});

test('emit is refused without an endpoint, and the message says how to register one', async () => {
  const { server } = await start();
  expect(await refusalOf('emit', 'ping', '--url', server.url)).toMatch(
    /^No endpoint is registered at http.*--webhook and --webhook-secret, or post .*__mock\/webhooks\/endpoints/,
  );
});
