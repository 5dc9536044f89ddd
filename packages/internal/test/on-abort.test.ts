import { expect, test, vi } from 'vitest';
import { onAbort, rejectOnAbort } from '../src/index.ts';
import { eventually } from '../test-support/index.ts';

test('rejectOnAbort settles as a promise that settles first, and removes its listener', async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  expect(await rejectOnAbort(Promise.resolve(1), signal)).toBe(1);
  await eventually(() => expect(remove).toHaveBeenCalledTimes(1));
  await expect(rejectOnAbort(Promise.reject('no'), signal)).rejects.toBe('no');
  await eventually(() => expect(remove).toHaveBeenCalledTimes(2));
});

test('rejectOnAbort rejects with the reason of the signal, aborted before or during the wait', async () => {
  const controller = new AbortController();
  const pending = rejectOnAbort(new Promise(() => {}), controller.signal);
  controller.abort('enough');
  await expect(pending).rejects.toBe('enough');
  await expect(rejectOnAbort(Promise.reject('no'), controller.signal)).rejects.toBe('enough');
});

test('onAbort adds one listener per signal, and removes it with the last callback', () => {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, 'addEventListener');
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  const calls: string[] = [];
  const stops = ['a', 'b', 'c'].map((name) => onAbort(controller.signal, () => calls.push(name)));
  expect(add).toHaveBeenCalledTimes(1);
  stops[1]?.();
  expect(remove).not.toHaveBeenCalled();
  controller.abort();
  expect(calls).toEqual(['a', 'c']);
  stops[0]?.();
  stops[2]?.();
  expect(remove).toHaveBeenCalledTimes(1);
});
