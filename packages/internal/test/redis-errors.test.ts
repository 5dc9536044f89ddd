import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchRedisErrors } from '../src/index.ts';

test('watchRedisErrors adds one listener per client, and keeps the last error until the client is ready', () => {
  const client = new EventEmitter();
  const errors = Array.from({ length: 1_000 }, () => watchRedisErrors(client));
  expect(client.listenerCount('error')).toBe(1);
  expect(errors[0]?.last).toBeUndefined();

  client.emit('error', new Error('first'));
  client.emit('error', new Error('connect ECONNREFUSED'));
  expect(errors[0]?.last).toMatchObject({ message: 'connect ECONNREFUSED' });
  expect(errors[999]).toBe(errors[0]);

  client.emit('ready');
  expect(errors[0]?.last).toBeUndefined();
});

test('watchRedisErrors keeps the errors of two clients apart', () => {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  const [errors, others] = [watchRedisErrors(one), watchRedisErrors(other)];
  one.emit('error', 'lost');
  expect([errors.last, others.last]).toEqual(['lost', undefined]);
});

test('watchRedisErrors accepts a client that is not an event emitter', () => {
  expect(watchRedisErrors({ eval: async () => 1 })).toEqual({ last: undefined });
});
