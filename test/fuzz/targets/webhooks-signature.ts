import { createWebhooks } from '../../../packages/webhooks/src/create-webhooks.ts';
import { WebhookError } from '../../../packages/webhooks/src/errors.ts';
import { readMessage } from '../engine/message.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';
import type { Pair } from '../reference/headers.ts';
import { headersAs, pairsOf } from '../reference/headers.ts';
import type { Setup } from '../reference/signatures.ts';
import { NOW, referenceVerify, SECRETS, SETUPS, signInto } from '../reference/signatures.ts';

const { getBuiltinModule } = process;

/** One receiver on node:crypto, and one on WebCrypto, as on platforms without `process.getBuiltinModule()`. */
const receiversOf = (setup: Setup) =>
  [getBuiltinModule, undefined].map((found) => {
    Object.assign(process, { getBuiltinModule: found });
    try {
      return createWebhooks({ secret: setup.secrets, signature: setup.signature, now: () => NOW });
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });

const receivers = new Map([...SETUPS].map(([name, setup]) => [name, receiversOf(setup)]));

const CODES = [
  'MISSING_SIGNATURE',
  'MALFORMED_SIGNATURE',
  'AMBIGUOUS_SIGNATURE',
  'SIGNATURE_MISMATCH',
  'TIMESTAMP_OUT_OF_TOLERANCE',
];

const checkRefusal = (error: unknown, headers: readonly Pair[]): void => {
  hold(error instanceof WebhookError, `threw ${error}`);
  hold(CODES.includes(error.code) && error.status === 401, `refused with ${error.code} ${error.status}`);
  hold(error.message.length <= 1_000 && !/\p{Cc}/u.test(error.message), 'the message is not one short line');
  const secrets = SECRETS.map((secret) => (typeof secret === 'string' ? secret : secret.toString('latin1')));
  const values = headers.map(([, value]) => value).filter((value) => value.length > 40);
  hold(
    ![...secrets, ...values].some((text) => error.message.includes(text)),
    'the message has a secret or a signature',
  );
};

/**
 * The first line names a setup and the form of the headers. `$HEX`, `$B64` and `$URL` in a header stand for the genuine
 * signature; with `2` behind them, for the one of the second secret.
 */
export const target: Target = {
  checks:
    'All schemes, encodings and forms of headers, with genuine signatures mixed in: `verify` accepts exactly what a verifier written on `node:crypto` accepts, with node:crypto and WebCrypto',
  maxBytes: 6_000,
  work: (bytes) => 3_000 + 60 * bytes,
  words: [
    '$HEX',
    '$B64',
    '$URL',
    '$UPPER',
    '$STRAY',
    '$HEX2',
    '$B642',
    '$URL2',
    'v1,',
    'v1=',
    't=',
    '1769860800',
    ...SETUPS.keys(),
    'headers',
    'record',
    'pairs',
    'raw',
  ],
  run: async (input) => {
    const message = readMessage(input);
    const [name = '', form = ''] = message.line.split(' ');
    const setup = SETUPS.get(name);
    if (setup === undefined) {
      return;
    }
    const headers = headersAs(form, signInto(setup, message));
    const pairs = pairsOf(headers);
    const wanted = referenceVerify(setup, pairs, message.body);
    const [onNode, onWeb] = receivers.get(name) ?? [];
    // WebCrypto takes ten times as long, and only the HMAC differs.
    const isChosen = input.length % 64 === 0;
    for (const receiver of isChosen ? [onNode, onWeb] : [onNode]) {
      const verified = await receiver?.verify(message.body, headers as never).catch((error: unknown) => {
        checkRefusal(error, pairs);
        return undefined;
      });
      same(verified, wanted, 'verified');
    }
  },
};
