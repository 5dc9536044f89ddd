import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/call.ts';
import { startPace } from './pace.ts';

/** The parts of a mock that change. */
export const TOPICS = ['rows', 'requests', 'deliveries', 'keys', 'faults', 'clock'] as const;

export type Topic = (typeof TOPICS)[number];

/** Emits an event for each change of a topic. */
const changes = new EventTarget();

/** Reloads every view that shows one of these topics. */
export const changed = (...topics: readonly Topic[]): void => {
  for (const topic of topics) {
    changes.dispatchEvent(new Event(topic));
  }
};

/** The value that a view shows. */
export interface Live<T> {
  /** The latest value; `undefined` until the first has been loaded. */
  readonly value?: T;
  /** Why the latest load failed. */
  readonly problem?: string | undefined;
}

/**
 * Loads a value, and loads it again whenever one of the topics has changed.
 *
 * @param key Identifies the value. A different key loads at once.
 */
export const useLive = <T>(topics: readonly Topic[], load: () => Promise<T>, key = ''): Live<T> => {
  const [live, setLive] = useState<Live<T>>({});
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const show = async (): Promise<void> => {
      const result: Live<T> = await latest.current().then(
        (value) => ({ value, problem: undefined }),
        (error: unknown) => ({ problem: messageOf(error) }),
      );
      if (!signal.aborted) {
        setLive((before) => ({ ...before, ...result }));
      }
    };
    const pace = startPace({ load: show, isVisible: () => !document.hidden, signal });
    document.addEventListener('visibilitychange', pace.resume, { signal });
    for (const topic of topics) {
      changes.addEventListener(topic, pace.changed, { signal });
    }
    return () => ending.abort();
  }, [key]);

  return live;
};
