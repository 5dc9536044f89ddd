import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';

/** The parts of a mock that change. */
export const TOPICS = ['rows', 'requests', 'deliveries', 'endpoints', 'keys', 'faults', 'clock'] as const;

/** One of them. */
export type Topic = (typeof TOPICS)[number];

/** How often each part has changed since the page was opened. */
export const versions = Object.fromEntries(TOPICS.map((topic) => [topic, signal(0)])) as Readonly<
  Record<Topic, Signal<number>>
>;

/** Makes every view that shows one of these parts load it again. */
export const changed = (...topics: readonly Topic[]): void => {
  for (const topic of topics) {
    versions[topic].value += 1;
  }
};
