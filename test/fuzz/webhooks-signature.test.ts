/**
 * Tries all schemes, encodings and shapes of headers, with node:crypto and with WebCrypto. `verify` accepts a delivery that
 * a sender signed with either secret, in time, in the right encoding, and with each header once, whatever other signatures
 * are around it. It accepts nothing else, unless a header still contains such a signature.
 */
import { createHmac } from 'node:crypto';
import { createWebhooks, standardWebhooks, timestamped, WebhookError } from '@confab/webhooks';
import { assert, checkMessage, fc, fuzz, nearText, piece, same } from './kit.ts';

type Sent = readonly (readonly [name: string, value: string])[];

const NOW = 1_769_860_800;
const KEYS = ['0123456789abcdef0123456789abcdef', 'the key of the next rotation', 'the key of somebody else'];
const secret = KEYS.slice(0, 2).map((key) => Buffer.from(key));
const whsec = secret.map((key) => `whsec_${key.toString('base64')}`);
const header = 'X-Sig';

/** Options of receivers, their encodings, and the headers and the preamble of a sender: `S` is a signature, `T` the time. */
const SETUPS = {
  standard: [
    { secret: whsec, signature: standardWebhooks() },
    ['base64'],
    'webhook-id: msg_1|webhook-timestamp: T|webhook-signature: v1,S',
    'msg_1.T.',
  ],
  svix: [
    { secret, signature: standardWebhooks({ headerPrefix: 'svix' }) },
    ['base64'],
    `svix-id: msg_1|svix-timestamp: T|svix-signature: v1,AAAA v1a,AAAA v1,S v1,${Buffer.alloc(32).toString('base64')}`,
    'msg_1.T.',
  ],
  stripe: [
    { secret, signature: timestamped({ header }) },
    ['hex'],
    `x-sig: v1=${'0'.repeat(64)},t=T,v1=S,v1=${'1'.repeat(64)},v0=6ffb`,
    'T.',
  ],
  spaced: [
    { secret, signature: timestamped({ header, delimiter: '; ', encoding: 'base64', separator: ':' }) },
    ['base64'],
    'x-sig: t=T; v1=AAAA; v1=S',
    'T:',
  ],
  auto: [{ secret, signature: { header, encoding: 'auto' } }, ['hex', 'base64', 'base64url'], 'x-sig: S', ''],
  hex: [
    { secret, signature: { header, encoding: 'hex', prefix: 'sha256=' } },
    ['hex'],
    'x-sig: sha256=S',
    '',
  ],
  url: [
    { secret, signature: { header, encoding: 'base64url', prefix: 'v0=', timestamp: { header: 'x-time' } } },
    ['base64url'],
    'x-sig: v0=S|x-time: T',
    'T.',
  ],
} as const satisfies Record<string, [Parameters<typeof createWebhooks>[0], string[], string, string]>;

/** Spellings of a digest. The last two must be refused. */
const SPELLINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  hex: (bytes) => bytes.toString('hex'),
  base64: (bytes) => bytes.toString('base64'),
  base64url: (bytes) => bytes.toString('base64url'),
  upper: (bytes) => bytes.toString('hex').toUpperCase(),
  // One of the two bits that belong to no byte is set.
  stray: (bytes) =>
    bytes.toString('base64').replace(/.(?==$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
};

/** The shapes in which frameworks pass headers. */
const SHAPES: Readonly<Record<string, (sent: Sent) => unknown>> = {
  raw: (sent) => sent.flat(),
  pairs: (sent) => sent.map((pair) => [...pair]),
  headers: (sent) => new Headers(sent.map(([name, value]): [string, string] => [name, value])),
  record: (sent) =>
    Object.fromEntries(
      sent.map(([name]) => {
        const values = sent.filter(([other]) => other === name).map(([, value]) => value);
        return [name, values.length === 1 ? values[0] : values];
      }),
    ),
};

const { getBuiltinModule } = process;
const receiversOf = ([options]: (typeof SETUPS)[keyof typeof SETUPS]) =>
  [getBuiltinModule, () => undefined].map((found) => {
    // Without it, a receiver verifies with WebCrypto.
    process.getBuiltinModule = found as typeof getBuiltinModule;
    return createWebhooks({ ...options, now: () => NOW * 1_000 });
  });
const receivers = new Map(Object.entries(SETUPS).map(([name, setup]) => [name, receiversOf(setup)]));
process.getBuiltinModule = getBuiltinModule;

const TOKENS = ['S', 'T', 'v1,', 'v1=', 't=', `${NOW}`, ',', '; ', ' ', '=', '9'.repeat(16), `t=${NOW},`];

fuzz(
  'webhooks-signature: a delivery is accepted exactly if the sender signed it',
  fc.record({
    name: fc.constantFrom(...(Object.keys(SETUPS) as (keyof typeof SETUPS)[])),
    key: fc.nat(2),
    spelling: fc.constantFrom('right', 'right', 'right', ...Object.keys(SPELLINGS)),
    time: fc.constantFrom(0, 0, -300, 300, -301, 301).map((age) => NOW + age),
    body: fc.constantFrom('{"event":"a","data":{}}', '', 'é'),
    received: fc.constantFrom(null, null, null, '{"event":"b","data":{}}', 'e'),
    twice: fc.nat(5).map((number) => number === 5),
    upper: fc.boolean(),
    changed: fc.option(fc.tuple(fc.nat(2), nearText(['S T'], piece(TOKENS))), { freq: 2 }),
    shape: fc.constantFrom(...Object.keys(SHAPES)),
    crypto: fc.nat(3).map((number) => (number === 3 ? 1 : 0)),
  }),
  async ({ name, key, spelling, time, body, received, twice, upper, changed, shape, crypto }) => {
    const [, encodings, lines, preamble] = SETUPS[name];
    const bytes = createHmac('sha256', KEYS[key] ?? '')
      .update(preamble.replace('T', `${time}`) + body)
      .digest();
    const encoding = spelling === 'right' ? encodings[0] : spelling;
    const signature = SPELLINGS[encoding]?.(bytes) ?? '';
    const sent = lines.split('|').map((line, index): readonly [string, string] => {
      const [header = '', genuine = ''] = line.split(': ');
      // Cuts the genuine value, and puts hostile text around it.
      const value = changed?.[0] === index ? changed[1].replace('S', genuine) : genuine;
      const written = value.replaceAll('T', `${time}`).replaceAll('S', signature);
      return [upper ? header.toUpperCase() : header, written.replaceAll(/[^\x20-\x7e]/g, '').trim()];
    });
    const isChanged = changed !== null && changed[0] < sent.length;
    const given = SHAPES[shape]?.(twice ? [...sent, ...sent.slice(-1)] : sent);
    const verified = await receivers
      .get(name)
      ?.[crypto]?.verify(received ?? body, given as never)
      .catch((error: unknown) => {
        assert.ok(error instanceof WebhookError && error.status === 401, error as Error);
        assert.match(error.code, /_SIGNATURE$|^SIGNATURE_MISMATCH$|^TIMESTAMP_OUT_OF_TOLERANCE$/);
        checkMessage(error.message, [...KEYS, ...whsec, signature], 1_000);
      });
    const isInTime = preamble === '' || Math.abs(time - NOW) <= 300;
    // Padding of base64url is optional.
    const spellings = encodings.flatMap((name) => [
      SPELLINGS[name]?.(bytes),
      name === 'base64url' && `${SPELLINGS[name]?.(bytes)}=`,
    ]);
    const isSpelled = spellings.includes(signature);
    // `Headers` joins the values of a name with a comma, which some schemes read as a part of a wrong signature.
    const isSingle = !twice || (shape === 'headers' && /standard|svix|spaced/.test(name));
    const isGenuine = key < 2 && received === null && isInTime && isSpelled && isSingle;
    if (isGenuine && !isChanged) {
      same(
        verified,
        { secretIndex: key, ...(preamble.startsWith('msg_1') && { id: 'msg_1' }) },
        'a genuine delivery',
      );
    } else if (!isGenuine || !JSON.stringify(sent).includes(signature)) {
      assert.equal(verified, undefined, 'a forged delivery was accepted');
    }
  },
);
