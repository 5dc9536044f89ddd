import { effect, signal, untracked } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { routeTo } from '../../../src/control/routes.ts';
import type { Topic } from '../live/live.ts';
import { changed, TOPICS } from '../live/live.ts';
import { send } from './call.ts';
import { adminToken, locked } from './token.ts';

/** Whether events arrive. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** The topics that each kind of event changes. A request also fills a window and uses up a fault. */
const TOPICS_BY_EVENT: Readonly<Record<string, readonly Topic[]>> = {
  request: ['requests', 'keys', 'faults'],
  delivery: ['deliveries'],
  rows: ['rows'],
  clock: ['clock', 'keys', 'deliveries'],
  restored: TOPICS,
};

/** Milliseconds before the page connects again. */
const PAUSE = 2_000;

/** @throws When the stream can't be opened or breaks. */
const readStream = async (signal: AbortSignal): Promise<void> => {
  // Not an EventSource, which can't send the admin token.
  const { ok, status, body } = await send(routeTo('events').path, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  if (!ok || body === null) {
    throw new Error(`The events could not be opened: ${status}`);
  }
  connection.value = 'live';
  // The page has missed all changes since the last event.
  changed(...TOPICS);
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = '' } of events) {
    changed(...(TOPICS_BY_EVENT[event] ?? []));
  }
};

/** Follows the events of the mock, and connects again when they end. */
const follow = async (signal: AbortSignal): Promise<void> => {
  connection.value = 'connecting';
  while (!signal.aborted) {
    await readStream(signal).catch(() => {});
    if (!signal.aborted) {
      connection.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
};

/** Follows the events while the page is open, and starts again with every new token. */
export const followEvents = (): void => {
  effect(() => {
    const ending = new AbortController();
    // A change of either one starts again.
    const [isLocked] = [locked.value, adminToken.value];
    if (!isLocked) {
      void untracked(() => follow(ending.signal));
    }
    return () => ending.abort();
  });
};
