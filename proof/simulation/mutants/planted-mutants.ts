import type { Mutant } from './mutant.ts';

const DECIDE_RETRY = 'packages/client/src/retry/decide-retry.ts';

/** Faults that the code never had. Each breaks an invariant that no old fault breaks, so every invariant can fail. */
export const plantedMutants: readonly Mutant[] = [
  {
    name: 'writes-repeated',
    fault: 'Every write is repeated.',
    fixedBy: undefined,
    replacements: [{ file: DECIDE_RETRY, from: '(state.idempotent || policy.nonIdempotent)', to: 'true' }],
  },
  {
    name: 'one-repeat-more',
    fault: 'A call is repeated once more than its limit allows.',
    fixedBy: undefined,
    replacements: [
      { file: DECIDE_RETRY, from: 'state.repeats >= policy.limit', to: 'state.repeats > policy.limit' },
    ],
  },
  {
    name: 'one-request-more',
    fault: 'A client sends one request more at once than its `concurrency` allows.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/client/src/rate-limit/limiter.ts',
        from: 'if (inFlight >= concurrency) {',
        to: 'if (inFlight > concurrency) {',
      },
    ],
  },
  {
    name: 'late-deadline',
    fault: 'A deadline ends a call a second late.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/client/src/transport/send-with-retries.ts',
        from: 'startLifetime(clock, options.deadline, options.signal)',
        to: 'startLifetime(clock, options.deadline + 1_000, options.signal)',
      },
    ],
  },
  {
    name: 'first-key-for-good',
    fault: 'The `apiKey` function is asked only once.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/client/src/options/api-key.ts',
        from: '          pending = undefined;\n',
        to: '',
      },
    ],
  },
  {
    name: 'invalid-key',
    fault: 'Keys with digits count as invalid.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/client/src/options/api-key.ts',
        from: '/^[\\x21-\\x7e]+$/',
        to: '/^[\\x3a-\\x7e]+$/',
      },
    ],
  },
  {
    name: 'any-signature',
    fault: 'Every signature matches.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/webhooks/src/signature/verify.ts',
        from: 'matching = hmac.equal(digests[at] as Uint8Array, signature) ? at : matching;',
        to: 'matching = at;',
      },
    ],
  },
  {
    name: 'handled-again',
    fault: 'A delivery that was handled is handled again when it is repeated.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/webhooks/src/dedupe/run-once.ts',
        from: "if (state !== 'claimed') {",
        to: "if (state === 'running') {",
      },
    ],
  },
];
