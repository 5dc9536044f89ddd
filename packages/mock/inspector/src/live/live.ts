import type { Signal } from '@preact/signals';
import { effect, signal, untracked } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { startPace } from './pace.ts';

/** The parts of a mock that change. */
export const TOPICS = ['rows', 'requests', 'deliveries', 'endpoints', 'keys', 'faults', 'clock'] as const;

/** One of them. */
export type Topic = (typeof TOPICS)[number];

/** How often each part has changed since the page was opened. */
const versions = Object.fromEntries(TOPICS.map((topic) => [topic, signal(0)])) as Readonly<
  Record<Topic, Signal<number>>
>;

/** Makes every view that shows one of these parts load it again. */
export const changed = (...topics: readonly Topic[]): void => {
  for (const topic of topics) {
    versions[topic].value += 1;
  }
};

/** What a view shows. */
export interface Live<T> {
  /** The latest value; `undefined` until the first has been loaded. */
  readonly value: T | undefined;
  /** Why the latest load failed. */
  readonly problem: string | undefined;
}

/**
 * Loads a value, and loads it again whenever one of the topics has changed.
 *
 * @param key Identifies what is loaded. A change of it loads at once, and drops what was loaded for another key.
 */
export const useLive = <T>(key: string, topics: readonly Topic[], load: () => Promise<T>): Live<T> => {
  const [live, setLive] = useState<Live<T> & { readonly key: string }>({
    key,
    value: undefined,
    problem: undefined,
  });
  const latest = useRef(load);
  latest.current = load;
  const watched = topics.join();

  useEffect(() => {
    let over = false;
    const show = async (): Promise<void> => {
      const result = await latest.current().then(
        (value) => ({ key, value, problem: undefined }),
        (error: unknown) => ({ key, problem: error instanceof Error ? error.message : String(error) }),
      );
      if (!over) {
        setLive((before) => ({ value: before.key === key ? before.value : undefined, ...result }));
      }
    };
    const pace = startPace({ load: show, isVisible: () => !document.hidden });
    document.addEventListener('visibilitychange', pace.resume);
    let first = true;
    const stop = effect(() => {
      for (const topic of TOPICS.filter((each) => watched.split(',').includes(each))) {
        versions[topic].value;
      }
      if (!first) {
        untracked(pace.changed);
      }
      first = false;
    });
    return () => {
      over = true;
      pace.stop();
      document.removeEventListener('visibilitychange', pace.resume);
      stop();
    };
  }, [key, watched]);

  return live.key === key ? live : { value: undefined, problem: undefined };
};
