import { expect, test, vi } from 'vitest';
import { onAbort, rejectOnAbort } from '../src/index.ts';
import { eventually } from '../test-support/index.ts';

test('a promise that settles first decides, and its listener is removed', async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  expect(await rejectOnAbort(Promise.resolve(1), signal)).toBe(1);
  await eventually(() => expect(remove).toHaveBeenCalledTimes(1));
  await expect(rejectOnAbort(Promise.reject('no'), signal)).rejects.toBe('no');
  await eventually(() => expect(remove).toHaveBeenCalledTimes(2));
});

test('an abort rejects with its reason, before and while the promise is pending', async () => {
  const controller = new AbortController();
  const pending = rejectOnAbort(new Promise(() => {}), controller.signal);
  controller.abort('enough');
  await expect(pending).rejects.toBe('enough');
  await expect(rejectOnAbort(Promise.reject('no'), controller.signal)).rejects.toBe('enough');
});

test('callbacks of one signal share one listener, which the last of them removes', () => {
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
