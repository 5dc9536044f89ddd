import { createSlidingWindow } from '@confab/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors/refusal.ts';
import { admit } from '../../src/request/auth-and-rate-limit.ts';

const keyWith = (requests: number, perMs: number, times: readonly number[] = []) => ({
  id: 'key',
  scopes: new Set<string>(),
  limit: { requests, perMs },
  window: createSlidingWindow(perMs, times),
});

/** The rate-limit headers of a request; those of a refused one have `retry-after`. */
const headersOf = (key: ReturnType<typeof keyWith>, now: number): Readonly<Record<string, string>> => {
  try {
    return admit(key, now);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return (error as Refusal).headers;
  }
};

test('a request is refused only when the window is full, and passes when Retry-After says, not a second earlier', () => {
  const limits = fc.record({
    requests: fc.integer({ min: 1, max: 20 }),
    perMs: fc.integer({ min: 1, max: 90_000 }),
  });
  // Milliseconds between one request and the next: bursts, and pauses longer than the window.
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat(100_000)), { maxLength: 300 });
  fc.assert(
    fc.property(limits, gaps, ({ requests, perMs }, pauses) => {
      const key = keyWith(requests, perMs);
      const admitted: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const inside = admitted.filter((time) => time > now - perMs);
        const { 'retry-after': wait, ...headers } = headersOf(key, now);
        expect(wait === undefined).toBe(inside.length < requests);
        expect(headers).toEqual({
          'x-ratelimit-limit': String(requests),
          'x-ratelimit-remaining': String(wait === undefined ? requests - inside.length - 1 : 0),
        });
        if (wait === undefined) {
          admitted.push(now);
          continue;
        }
        const probe = (at: number) => headersOf(keyWith(requests, perMs, inside), at)['retry-after'];
        expect(wait).toMatch(/^[1-9]\d*$/);
        expect(probe(now + Number(wait) * 1_000)).toBeUndefined();
        if (wait !== '1') {
          expect(probe(now + (Number(wait) - 1) * 1_000)).toBeDefined();
        }
      }
    }),
  );
});
