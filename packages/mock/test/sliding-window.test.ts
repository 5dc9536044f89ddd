import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MockError } from '../src/index.ts';
import { toRateLimit } from '../src/world/keys/check-key.ts';
import { SlidingWindow } from '../src/world/keys/keys.ts';

const limit = fc.record({
  requests: fc.integer({ min: 1, max: 20 }),
  perMs: fc.integer({ min: 1, max: 90_000 }),
});
/** Milliseconds between one request and the next: bursts, and pauses longer than the window. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat(100_000)), { maxLength: 300 });

test('in no stretch of the window are more requests admitted than the cap, wherever it begins', () => {
  fc.assert(
    fc.property(limit, gaps, ({ requests, perMs }, pauses) => {
      const window = new SlidingWindow({ requests, perMs });
      const admitted: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        if (window.admit(now).admitted) {
          admitted.push(now);
        }
      }
      for (const start of admitted) {
        expect(admitted.filter((time) => time >= start && time < start + perMs).length).toBeLessThanOrEqual(
          requests,
        );
      }
    }),
  );
});

test('a request is refused only when the window is full', () => {
  fc.assert(
    fc.property(limit, gaps, ({ requests, perMs }, pauses) => {
      const window = new SlidingWindow({ requests, perMs });
      const admitted: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const inside = admitted.filter((time) => time > now - perMs).length;
        const { admitted: passed, remaining } = window.admit(now);
        expect(passed).toBe(inside < requests);
        expect(remaining).toBe(passed ? requests - inside - 1 : 0);
        if (passed) {
          admitted.push(now);
        }
      }
    }),
  );
});

test('a request made exactly when Retry-After says passes, and one made a second earlier does not', () => {
  fc.assert(
    fc.property(limit, gaps, ({ requests, perMs }, pauses) => {
      const window = new SlidingWindow({ requests, perMs });
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const { admitted, retryAfterSeconds } = window.admit(now);
        if (admitted) {
          continue;
        }
        expect(Number.isInteger(retryAfterSeconds)).toBe(true);
        const then = now + retryAfterSeconds * 1_000;
        const probe = () => new SlidingWindow({ requests, perMs }, window.save());
        expect(probe().admit(then).admitted).toBe(true);
        if (retryAfterSeconds > 1) {
          expect(probe().admit(then - 1_000).admitted).toBe(false);
        }
      }
    }),
  );
});

test('a long life does not change what the window says', () => {
  const window = new SlidingWindow({ requests: 2_000, perMs: 60_000 });
  for (let now = 0; now < 600_000; now += 30) {
    expect(window.admit(now).admitted).toBe(true);
  }
  expect(window.save()).toHaveLength(2_000);
  expect(window.admit(600_000 - 30).retryAfterSeconds).toBe(1);
});

test('a cap of 0 refuses everything, an infinite one nothing', () => {
  expect(new SlidingWindow({ requests: 0, perMs: 60_000 }).admit(0)).toEqual({
    admitted: false,
    remaining: 0,
    retryAfterSeconds: 60,
  });
  const open = new SlidingWindow({ requests: Number.POSITIVE_INFINITY, perMs: 60_000 });
  for (let at = 0; at < 10_000; at += 1) {
    expect(open.admit(0).admitted).toBe(true);
  }
});

test('a limit that can not be is refused', () => {
  for (const value of [-1, 1.5, Number.NaN, { requests: 5, perMs: 0 }, { requests: 5, perMs: Number.NaN }]) {
    expect(() => toRateLimit(value)).toThrow(MockError);
  }
  expect(toRateLimit(5)).toEqual({ requests: 5, perMs: 60_000 });
});
