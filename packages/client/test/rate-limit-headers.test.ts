import { expect, test } from 'vitest';
import { readRateLimit } from '../src/rate-limit/headers.ts';

const NONE = { limit: undefined, remaining: undefined, retryAfterMs: undefined };

test('a response reports its limit, what is left of it and how long to wait', () => {
  const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '7', 'retry-after': '2' };
  expect(readRateLimit(headers, 0)).toEqual({ limit: 60, remaining: 7, retryAfterMs: 2_000 });
  const date = 'Tue, 05 May 2026 10:00:00 GMT';
  expect(readRateLimit({ 'retry-after': 'Tue, 05 May 2026 10:00:20 GMT', date }, 0)).toEqual({
    ...NONE,
    retryAfterMs: 20_000,
  });
});

test('a response without these headers reports nothing', () => {
  expect(readRateLimit({}, 0)).toEqual(NONE);
});

test('a limit of 0 would stop the client for good, while nothing may be left', () => {
  const headers = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' };
  expect(readRateLimit(headers, 0)).toEqual({ ...NONE, remaining: 0 });
});

test.each([' 5', '5 ', '\t5\t', '05'])('%j is the number 5', (value) => {
  const headers = { 'x-ratelimit-limit': value, 'x-ratelimit-remaining': value };
  expect(readRateLimit(headers, 0)).toEqual({ ...NONE, limit: 5, remaining: 5 });
});

test.each([
  '',
  ' ',
  '-5',
  '+5',
  '5.0',
  '5e1',
  '0x5',
  'x5',
  '5x',
  '5, 5',
  '9007199254740992',
  '9'.repeat(400),
])('%j is no number of requests', (value) => {
  const headers = { 'x-ratelimit-limit': value, 'x-ratelimit-remaining': value };
  expect(readRateLimit(headers, 0)).toEqual(NONE);
});
