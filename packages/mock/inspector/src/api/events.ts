import { effect, signal, untracked } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { routeTo } from '../../../src/control/routes.ts';
import type { Topic } from '../live/topics.ts';
import { changed, TOPICS } from '../live/topics.ts';
import { authorization, checkAccess } from './call.ts';
import { adminToken, locked } from './token.ts';

/** Whether events arrive. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** What each kind of event changes. A request fills a window, and uses up a fault. */
const MEANINGS: Readonly<Record<string, readonly Topic[]>> = {
  request: ['requests', 'keys', 'faults'],
  delivery: ['deliveries'],
  rows: ['rows'],
  clock: ['clock', 'keys', 'deliveries'],
  restored: TOPICS,
};

/** Milliseconds before a further try. */
const PAUSE = 2_000;

/** @throws When the stream can't be opened or breaks. */
const readStream = async (signal: AbortSignal): Promise<void> => {
  // Not an EventSource, which can't send the admin token.
  const response = await fetch(new URL(routeTo('events').path, document.baseURI), {
    headers: { accept: 'text/event-stream', ...authorization() },
    signal,
  });
  checkAccess(response);
  if (!response.ok || response.body === null) {
    throw new Error(`The events could not be opened: ${response.status}`);
  }
  connection.value = 'live';
  // Whatever has changed since the last event was missed.
  changed(...TOPICS);
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event = '' } of events) {
    changed(...(MEANINGS[event] ?? []));
  }
};

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Follows the events of the mock, and connects again when they end. Returns a function that stops it. */
const follow = (): (() => void) => {
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    connection.value = 'connecting';
    while (!ending.signal.aborted) {
      await readStream(ending.signal).catch(() => {});
      if (!ending.signal.aborted) {
        connection.value = 'lost';
        await pause(ending.signal);
      }
    }
  };
  void run();
  return () => ending.abort();
};

/** Follows the events for as long as the page is open, and again with every token. */
export const followEvents = (): void => {
  effect(() => {
    // A change of either begins anew.
    const [isLocked] = [locked.value, adminToken.value];
    return isLocked ? undefined : untracked(follow);
  });
};
