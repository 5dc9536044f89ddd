import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Reply } from '../api/call.ts';
import { call } from '../api/call.ts';
import { changed, useLive } from './live.ts';

/** The base URL, the key and the clock of the mock. */
export const info = signal<Reply<'info'>['data'] | undefined>(undefined);

/** Reloads a topic at intervals, because it changes without an event. */
export const useTick = (topic: 'clock' | 'keys', ms: number, ticks: boolean): void => {
  useEffect(() => {
    const timer = ticks ? setInterval(() => changed(topic), ms) : undefined;
    return () => clearInterval(timer);
  }, [topic, ms, ticks]);
};

/** Keeps {@link info} up to date. */
export const useInfo = (): void => {
  useLive(['clock'], async () => {
    info.value = (await call('info')).data;
  });
  useTick('clock', 10_000, info.value?.clock.kind === 'system');
};
