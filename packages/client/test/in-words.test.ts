import { expect, test } from 'vitest';
import { inWords } from '../src/call/in-words.ts';

test.each([
  [0, '0 ms'],
  [1_999, '1999 ms'],
  [2_000, '2 seconds'],
  [90_001, '91 seconds'],
  [120_000, '2 minutes'],
  [3_600_000, '60 minutes'],
  [3_600_001, '61 minutes'],
])('%d milliseconds are written as %s', (ms, words) => {
  expect(inWords(ms)).toBe(words);
});
