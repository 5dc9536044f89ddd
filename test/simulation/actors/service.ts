import { createMock } from '@confab/mock';
import type { PlainResponse } from '../network/api-link.ts';
import type { Limit } from '../settings.ts';
import type { Sim } from '../sim.ts';

/** Milliseconds for which an old key stays valid. */
const GRACE = 600_000;

/** Returns the phone number of a number; no two numbers have the same. */
export const phoneOf = (number: number): string => `+5511${String(900_000_000 + number)}`;

/** Creates the service: a mock on the timeline, and the keys of its customers. */
export const createService = (sim: Sim) => {
  const { settings, seed } = sim;
  const mock = createMock({
    seed,
    data: {
      pipelines: [{ name: 'Sales' }],
      agents: [{ name: 'Assistant', description: 'Answers questions', llmModel: 'echo-1' }],
      leads: Array.from({ length: settings.leads }, (_, index) => ({
        phone: phoneOf(index),
        createdAt: new Date(sim.timeline.now() - (index + 1) * 1_000).toISOString(),
      })),
      conversations: [{ channel: 'whatsapp' }, { channel: 'live_chat' }],
    },
    rateLimit: { ...settings.limit, headers: settings.limitHeaders },
    latency: { min: 0, max: settings.serviceMs },
    // The timers of the platform follow the timeline. The mock's virtual clock would decide by itself when time passes.
    clock: 'system',
  });
  const keys = new Map<string, string>();
  let { limit } = settings;
  let rotations = 0;
  let handling = 0;

  const createKey = (customer: string): string => {
    const key = `confab_live_${customer}_of_rotation_${rotations}`;
    mock.keys.create({ key, rateLimit: limit });
    keys.set(customer, key);
    return key;
  };

  const service = {
    mock,
    /** Called after each page of a list. */
    onPage: () => {},
    /** The number of requests in progress. */
    get handling() {
      return handling;
    },
    async handle(url: string, init: RequestInit): Promise<PlainResponse> {
      handling += 1;
      try {
        const response = await mock.fetch(url, init);
        const plain = { status: response.status, headers: response.headers, body: await response.text() };
        if (url.includes('offset=')) {
          service.onPage();
        }
        return plain;
      } finally {
        handling -= 1;
      }
    },
    /** Returns the current key of a customer. The first call creates it. */
    keyOf: (customer: string): string => keys.get(customer) ?? createKey(customer),
    /** Gives all customers new keys; the old ones stay valid for a while. */
    rotateKeys(): void {
      rotations += 1;
      for (const [customer, old] of [...keys]) {
        createKey(customer);
        sim.after(GRACE, () => mock.keys.revoke(old));
      }
    },
    /** Changes the limit of all keys. */
    changeLimit(next: Limit): void {
      limit = next;
      for (const key of keys.values()) {
        mock.keys.revoke(key);
        mock.keys.create({ key, rateLimit: limit });
      }
    },
  };
  return service;
};

export type Service = ReturnType<typeof createService>;
