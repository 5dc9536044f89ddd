import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchRedisErrors } from '../src/index.ts';

test('a connection gets one listener, however often it is watched, and keeps its last error until it is ready', () => {
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

test('each connection has an error of its own', () => {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  const [errors, others] = [watchRedisErrors(one), watchRedisErrors(other)];
  one.emit('error', 'lost');
  expect([errors.last, others.last]).toEqual(['lost', undefined]);
});

test('a client that is not an event emitter is accepted', () => {
  expect(watchRedisErrors({ eval: async () => 1 })).toEqual({ last: undefined });
});
