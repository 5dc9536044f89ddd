import { expect, test } from 'vitest';
import { isLoopback } from '../src/index.ts';

test.each('localhost api.localhost a.b.localhost 127.0.0.1 127.8.9.1 ::1 [::1]'.split(' '))(
  '%s is a loopback host',
  (host) => expect(isLoopback(host)).toBe(true),
);

const OTHERS = `evillocalhost my-localhost .localhost localhost.example.com localhost. local
  127.0.0.1.example.com 127.0.0 128.0.0.1 10.127.0.0.1 1127.0.0.1
  [::1]:80 ::11 0.0.0.0 [::] [::ffff:7f00:1]`;

test.each(['', ...OTHERS.split(/\s+/)])('%j is not a loopback host', (host) => {
  expect(isLoopback(host)).toBe(false);
});
