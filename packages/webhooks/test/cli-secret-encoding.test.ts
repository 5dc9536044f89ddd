import { sign, signedRequest, standardWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { commandWith, listening } from './support/cli.ts';

const message = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hi' } };
const body = JSON.stringify(message);
const key = Buffer.from('the key of the sender, in 32 byte');
const signature = { header: 'x-sig' };

/** The arguments for a captured delivery. */
const captured = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);

test.each(['base64', 'hex'] as const)(
  'a secret in %s signs, verifies and listens with the flag that detect names',
  async (encoding) => {
    const shown = key.toString(encoding);
    const flags = ['--secret', shown, '--secret-encoding', encoding];
    const headers = await sign(body, { secret: key, signature });

    const detected = commandWith(body, 'detect', '--secret', shown, ...captured(headers));
    expect(await detected.code).toBe(0);
    expect(detected.lines[1]).toContain(`pass --secret-encoding ${encoding} to the other commands, and`);
    expect(detected.lines[1]).toContain(`Buffer.from(secret, '${encoding}')`);

    const signed = commandWith(body, 'sign', '--header', 'x-sig', ...flags);
    expect([await signed.code, signed.lines]).toEqual([0, [`x-sig: ${headers['x-sig']}`]]);
    const verified = commandWith(body, 'verify', '--header', 'x-sig', ...flags, ...captured(headers));
    expect([await verified.code, verified.lines]).toEqual([0, ['genuine: message.created']]);

    const { url } = await listening('--header', 'x-sig', ...flags);
    expect((await fetch(await signedRequest(url, message, { secret: key, signature }))).status).toBe(200);
    const sent = commandWith('', 'send', 'message.created', '--to', url, '--header', 'x-sig', ...flags);
    expect([await sent.code, sent.lines]).toEqual([0, ['200 {"ok":true}']]);
  },
);

test('text uses the characters of a secret that a scheme would decode', async () => {
  const secret = 'the characters are the key';
  const scheme = standardWebhooks();
  const headers = await sign(body, { secret: new TextEncoder().encode(secret), signature: scheme });
  const flags = ['--scheme', 'standard-webhooks', '--secret', secret, '--secret-encoding', 'text'];
  expect(await commandWith(body, 'verify', ...flags, ...captured(headers)).code).toBe(0);
});

test.each([
  ['0g', 'hex', 'The secret is not hex. Check it, or change --secret-encoding.'],
  ['a!b', 'base64', 'The secret is not base64.'],
  ['whsec_a0a', 'base64', 'Remove the prefix.'],
  ['a0b', 'base46', 'Allowed choices are text, base64, hex.'],
])('a wrong encoding is refused without showing the secret: %s as %s', async (secret, encoding, problem) => {
  const { code, warn } = commandWith(
    body,
    'sign',
    '--header',
    'x-sig',
    '--secret',
    secret,
    '--secret-encoding',
    encoding,
  );
  expect(await code).toBe(2);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(problem));
  expect(warn).not.toHaveBeenCalledWith(expect.stringContaining(secret));
});
