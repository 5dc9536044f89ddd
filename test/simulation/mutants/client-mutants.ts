import type { Mutant } from './mutant.ts';

const RETRY_AFTER = 'packages/client/src/rate-limit/headers.ts';
const ATTEMPT = 'packages/client/src/call/attempt.ts';
const TELL_LIMITER = 'packages/client/src/call/tell-limiter.ts';
const LIMITER = 'packages/client/src/rate-limit/limiter.ts';
const API_KEY = 'packages/client/src/options/api-key.ts';
const WALK = 'packages/client/src/lists/walk.ts';

const RETRY_AFTER_FIX = [
  '2f5f42c',
  'Wait no shorter than any Retry-After asks, by the clock of the response',
] as const;

/** Faults of the client that were fixed once. */
export const clientMutants: readonly Mutant[] = [
  {
    name: 'first-retry-after',
    fault: 'Of two `Retry-After` headers, the first counts.',
    fixedBy: RETRY_AFTER_FIX,
    replacements: [
      {
        file: RETRY_AFTER,
        from: 'longest = Math.max(longest ?? 0, Math.min(ms, Number.MAX_SAFE_INTEGER));',
        to: 'longest ??= Math.max(0, ms);',
      },
    ],
  },
  {
    name: 'retry-after-by-own-clock',
    fault: 'A date in `Retry-After` is compared with the clock of the client, which may be wrong.',
    fixedBy: RETRY_AFTER_FIX,
    replacements: [
      {
        file: RETRY_AFTER,
        from: "const sentAt = parseHttpDate(date?.split(SEPARATOR)[0]?.trim() ?? '') || now;",
        to: 'const sentAt = now;',
      },
    ],
  },
  {
    name: 'fraction-ignored',
    fault: 'A `Retry-After` with a fraction is ignored.',
    fixedBy: RETRY_AFTER_FIX,
    replacements: [{ file: RETRY_AFTER, from: '/^[-+.\\de]+$/i', to: '/^\\d+$/' }],
  },
  {
    name: 'two-dates',
    fault: 'A `Date` header that was sent twice is not understood.',
    fixedBy: [
      '7ef96da',
      'Doubt look-alike phones in every script, bound a stuck claim, and take the first of two dates',
    ],
    replacements: [{ file: RETRY_AFTER, from: "date?.split(SEPARATOR)[0]?.trim() ?? ''", to: "date ?? ''" }],
  },
  {
    name: 'sent-in-a-pause',
    fault: 'A call that waits for its `apiKey` function is sent during a pause that starts meanwhile.',
    fixedBy: ['e720d3b', 'Hold a call back during a pause that starts while its key is asked for'],
    replacements: [
      { file: ATTEMPT, from: 'if (client.longestLookup > 0 && limiter.isPaused()) {', to: 'if (false) {' },
    ],
  },
  {
    name: 'pause-of-an-hour',
    fault: 'A call that may wait for hours is repeated after one hour.',
    fixedBy: ['f34ba25', 'Wait out a Retry-After of hours in full when the caller allows it'],
    replacements: [
      {
        file: TELL_LIMITER,
        from: 'decision.again ? decision.delayMs : Math.min(retryAfterMs ?? 0, MAX_PAUSE)',
        to: 'Math.min(decision.again ? decision.delayMs : (retryAfterMs ?? 0), MAX_PAUSE)',
      },
    ],
  },
  {
    name: 'broken-429',
    fault: 'A 429 whose body breaks off counts as a lost connection, so its `Retry-After` is ignored.',
    fixedBy: ['9e28a74', 'Mend what a hostile review found: paging, redaction, pauses, key functions'],
    replacements: [
      {
        file: 'packages/client/src/call/exchange.ts',
        from: 'if (response !== undefined && response.status >= 300) {',
        to: 'if (response === null) {',
      },
    ],
  },
  {
    name: 'first-limit-for-good',
    fault: 'The first limit that the API reports is followed for good.',
    fixedBy: ['4c873d2', 'Follow the limit that the API itself names'],
    replacements: [
      {
        file: 'packages/client/src/rate-limit/local-window.ts',
        from: '        allowed = limit;',
        to: '        allowed ??= limit;',
      },
    ],
  },
  {
    name: 'limit-of-a-proxy',
    fault: 'The limit on the error page of a proxy counts as the limit of the API.',
    fixedBy: ['8c79b9b', 'Bound what is read of a response, and end calls that no repeat can save'],
    replacements: [
      {
        file: TELL_LIMITER,
        from: "const isFromApi = typeof successOf(body) === 'boolean';",
        to: 'const isFromApi = true;',
      },
    ],
  },
  {
    name: 'short-lease',
    fault: 'A shared place is leased for the call that asked last, and may serve one that takes longer.',
    fixedBy: [
      '2a4ff4e',
      'Lease shared places for as long as any call may take, and give each call its own store error',
    ],
    replacements: [
      {
        file: LIMITER,
        from: 'longestAttempt = Math.max(longestAttempt, timeout);',
        // Since then, the time of the functions that run before a request was added.
        to: 'longestAttempt = timeout - 60_000;',
      },
    ],
  },
  {
    name: 'hanging-key',
    fault: 'An `apiKey` function that hangs keeps its call waiting forever.',
    fixedBy: [
      '2b4ff16',
      'Bound the functions that run before a request, and check what they and rate-limit stores return',
    ],
    replacements: [
      {
        file: API_KEY,
        from: "const key = within(clock, LONGEST_LOOKUP, ask(source), lateError('apiKey'), done);",
        to: 'const key = ask(source);',
      },
    ],
  },
  {
    name: 'timer-of-a-hanging-key',
    fault: 'A call that is aborted while an `apiKey` function hangs leaves a timer behind.',
    fixedBy: [
      '1068d9d',
      'Redact what hostile headers and errors say, and stop timers that nothing waits for',
    ],
    replacements: [{ file: API_KEY, from: '          mine.done.abort();\n', to: '' }],
  },
  {
    name: 'pages-without-overlap',
    fault: 'A walk trusts the offset of the next page, so rows slip past it when others are deleted.',
    fixedBy: ['2a896b0', 'Walk lists that change by overlapping pages'],
    replacements: [
      { file: WALK, from: 'if (!isConnected(rows)) {', to: 'if (decrease < 0) {' },
      { file: WALK, from: 'frontier - 1 - decrease', to: 'frontier - decrease' },
    ],
  },
  {
    name: 'growing-list',
    fault: 'A walk fails at the end of a list that grows as fast as it is read.',
    fixedBy: ['dd75839', 'End a walk at the end of a list that grows as fast as it is read'],
    replacements: [
      {
        file: WALK,
        from: 'const isLast = given.size >= total || (frontier === total && rows[0]?.id !== firstId);',
        to: 'const isLast = given.size >= total;',
      },
      { file: WALK, from: 'isStuck ? NO_PROGRESS : 1', to: 'isStuck ? NO_PROGRESS : 4' },
    ],
  },
];
