import type { Mutant } from './mutant.ts';

const RETRY_AFTER = 'packages/client/src/rate-limit/headers.ts';
const DECIDE_RETRY = 'packages/client/src/call/retry.ts';
const WALK = 'packages/client/src/lists/walk.ts';

/** Faults that the code never had. They break invariants that no old fault breaks, or need what no old fault needs. */
export const plantedMutants: readonly Mutant[] = [
  {
    name: 'writes-repeated',
    fault: 'Every write is repeated.',
    fixedBy: undefined,
    replacements: [
      {
        file: DECIDE_RETRY,
        from: '(state.idempotent || policy.nonIdempotent || !mayHaveActed(outcome))',
        to: 'true',
      },
    ],
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
        file: 'packages/client/src/call/call.ts',
        from: 'startTimeLimit(clock, options.deadline, options.signal)',
        to: 'startTimeLimit(clock, options.deadline + 1_000, options.signal)',
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
    name: 'last-retry-after',
    fault: 'Of two `Retry-After` headers, the last counts.',
    fixedBy: undefined,
    replacements: [
      {
        file: RETRY_AFTER,
        from: 'longest = Math.max(longest ?? 0, Math.min(ms, Number.MAX_SAFE_INTEGER));',
        to: 'longest = Math.max(0, ms);',
      },
    ],
  },
  {
    name: 'comma-after-weekday',
    fault: 'The comma in a date of RFC 850 ends a `Retry-After`.',
    fixedBy: undefined,
    replacements: [{ file: RETRY_AFTER, from: '(?:[a-z]*day)?),/', to: '),/' }],
  },
  {
    name: 'total-trusted',
    fault:
      'A walk looks for its place only if the total has fallen, not if as many rows are added as removed.',
    fixedBy: undefined,
    replacements: [
      { file: WALK, from: 'if (!isConnected(rows)) {', to: 'if (decrease > 0 && !isConnected(rows)) {' },
    ],
  },
  {
    name: 'start-forgotten',
    fault: 'A walk that starts at an offset does not look for its place while it is near its start.',
    fixedBy: undefined,
    replacements: [
      {
        file: WALK,
        from: 'next === offset ||',
        to: 'next === offset || (offset > 0 && next < offset + limit) ||',
      },
    ],
  },
  {
    name: 'one-handler-enough',
    fault: 'A delivery counts as handled if one of its handlers succeeds.',
    fixedBy: undefined,
    replacements: [
      {
        file: 'packages/webhooks/src/receive/handlers.ts',
        from: 'if (failures.length === 0) {',
        to: 'if (failures.length < handlersOf(event).length) {',
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
