import type { Mutant } from './mutant.ts';

const RUN_ONCE = 'packages/webhooks/src/dedupe/run-once.ts';

const HOSTILE_FIX = [
  '52c7fa3',
  'Answer before reporting, read a body into one buffer, bind dedupe keys to it, and refuse misspelled options',
] as const;

/** Faults of the receiver that were fixed once. */
export const webhooksMutants: readonly Mutant[] = [
  {
    name: 'key-without-body',
    fault: 'A dedupe key is a header alone, so an attacker can use up the key of another delivery.',
    fixedBy: HOSTILE_FIX,
    replacements: [
      {
        file: 'packages/webhooks/src/dedupe/store-key.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
        from: 'return `${key.length > MAX_KEY_LENGTH ? await sha256(encodeText(key)) : key}:${await sha256(body)}`;',
        to: 'return key;',
      },
    ],
  },
  {
    name: 'unknown-claim',
    fault: 'A delivery is lost when the dedupe store returns something unknown.',
    fixedBy: HOSTILE_FIX,
    replacements: [
      { file: RUN_ONCE, from: 'if (CLAIM_STATES.includes(state)) {', to: 'if (CLAIM_STATES) {' },
    ],
  },
  {
    name: 'stuck-claim',
    fault: 'A request waits forever for a dedupe store that hangs.',
    fixedBy: [
      '7ef96da',
      'Doubt look-alike phones in every script, bound a stuck claim, and take the first of two dates',
    ],
    replacements: [
      {
        file: RUN_ONCE,
        from: 'if (await settledWithin(CLAIM_LIMIT_MS, ended)) {',
        to: 'if (await ended.then(() => true)) {',
      },
    ],
  },
];
