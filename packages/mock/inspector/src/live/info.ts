import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Reply } from '../api/call.ts';
import { call } from '../api/call.ts';
import { changed, useLive } from './live.ts';

/** What a client of the mock needs, and the time on its clock. */
export const info = signal<Reply<'info'>['data'] | undefined>(undefined);

/** Makes views load again now and then what changes by itself, without any event. */
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
