import { useEffect, useRef, useState } from 'preact/hooks';
import { startPace } from './pace.ts';
import type { Topic } from './topics.ts';
import { TOPICS, versions } from './topics.ts';

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
    const watching = TOPICS.filter((topic) => watched.split(',').includes(topic));
    const stops = watching.map((topic) => {
      let first = true;
      return versions[topic].subscribe(() => {
        if (!first) {
          pace.changed();
        }
        first = false;
      });
    });
    return () => {
      over = true;
      pace.stop();
      document.removeEventListener('visibilitychange', pace.resume);
      for (const stop of stops) {
        stop();
      }
    };
  }, [key, watched]);

  return live.key === key ? live : { value: undefined, problem: undefined };
};
