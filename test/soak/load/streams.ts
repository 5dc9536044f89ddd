import type { Action } from './context.ts';
import { below, pick } from './context.ts';

/** Listens to a stream of events as the inspector does, reads some of it, and goes away. */
const listen: Action = async ({ url, outcomes }) => {
  const path = pick(['changes', 'events']);
  const controller = new AbortController();
  try {
    const response = await fetch(`${url}/__mock/${path}`, { signal: controller.signal });
    if (!response.ok || response.body === null) {
      throw new Error(`GET /__mock/${path} responded with ${response.status}.`);
    }
    const reader = response.body.getReader();
    for (let chunk = 0; chunk < 1 + below(10); chunk += 1) {
      await reader.read();
    }
  } finally {
    controller.abort();
  }
  outcomes.count(`stream of ${path}`);
};

/** Opens the page of the inspector, and reads what it shows. */
const inspect: Action = async ({ url, remote, outcomes }) => {
  await (await fetch(`${url}/__mock/`, { headers: { accept: 'text/html' } })).text();
  await remote.requests.list({ limit: 50 });
  await remote.webhooks.endpoints();
  outcomes.count('inspector opened');
};

export const streams: readonly (readonly [weight: number, action: Action])[] = [
  [1, listen],
  [1, inspect],
];
