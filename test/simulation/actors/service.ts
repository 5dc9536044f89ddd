import type { Mock } from '@confab/mock';
import { createMockWithKey } from '../../../packages/mock/src/create-mock.ts';
import { createWorldClock } from '../clock/world-clock.ts';
import { TRUE_WAIT_HEADER } from '../network/api-link.ts';
import type { PlainResponse } from '../network/connection.ts';
import type { Limit, Step } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';
import { httpDate } from './http-date.ts';

/** The service: a mock on the timeline, and the keys of its customers. */
export interface Service {
  readonly mock: Mock;
  /** Handles a request. */
  handle(url: string, init: RequestInit): Promise<PlainResponse>;
  /** The number of requests that it is handling. */
  readonly handling: number;
  /** Called after each page of a list. */
  onPage: () => void;
  /** Returns the present key of a customer, which is created when it is first asked for. */
  keyOf(customer: string): string;
  /** Gives all customers new keys; the old ones stay valid for ten minutes. */
  rotateKeys(): void;
  /** Changes the limit of all keys. */
  changeLimit(limit: Limit): void;
  /** Makes the next request fail. */
  plan(step: Extract<Step, { kind: 'api-fault' | 'proxy-page' }>): void;
}

/** Milliseconds for which an old key stays valid. */
const GRACE = 600_000;

/** A phone that no other number gives. */
export const phoneOf = (number: number): string => `+5511${String(900_000_000 + number)}`;

/** `Retry-After` in one of its forms, and the milliseconds that it means. */
const retryAfter = (
  sim: Sim,
  { form, afterSeconds, dates, longestFirst }: Extract<Step, { kind: 'api-fault' }>,
): Readonly<Record<string, string>> => {
  const date = (ms: number) => httpDate(ms, dates);
  const now = sim.timeline.now();
  const wait = { [TRUE_WAIT_HEADER]: String(afterSeconds * 1_000) };
  switch (form) {
    case 'none':
      return {};
    case 'seconds':
      return { ...wait, 'retry-after': String(afterSeconds) };
    case 'fraction':
      return { ...wait, 'retry-after': String(afterSeconds - 0.5) };
    case 'two':
      return { ...wait, 'retry-after': longestFirst ? `${afterSeconds}, 1` : `1, ${afterSeconds}` };
    case 'two-dates':
      return {
        ...wait,
        date: `${date(now)}, ${date(now)}`,
        'retry-after': date(now + afterSeconds * 1_000),
      };
    case 'date':
      return { ...wait, date: date(now), 'retry-after': date(now + afterSeconds * 1_000) };
  }
};

/** Creates the service of a scenario. */
export const createService = (sim: Sim): Service => {
  const { settings, seed } = sim.scenario;
  const clock = createWorldClock(sim.timeline);
  const leads = Array.from({ length: settings.leads }, (_, at) => ({
    phone: phoneOf(at),
    createdAt: new Date(sim.timeline.now() - (at + 1) * 1_000).toISOString(),
  }));
  const { mock } = createMockWithKey(
    {
      seed,
      data: {
        pipelines: [{ name: 'Sales' }],
        agents: [{ name: 'Assistant', description: 'Answers questions', llmModel: 'echo-1' }],
        leads,
        conversations: [{ channel: 'whatsapp' }, { channel: 'live_chat' }],
      },
      rateLimit: { ...settings.limit, headers: settings.limitHeaders },
      latency: { min: 0, max: settings.serviceMs },
    },
    undefined,
    clock,
  );
  const keys = new Map<string, string>();
  let { limit } = settings;
  let rotations = 0;

  const createKey = (customer: string): string => {
    const key = `confab_live_${customer}_of_rotation_${rotations}`;
    mock.keys.create({ key, rateLimit: limit });
    keys.set(customer, key);
    return key;
  };

  let handling = 0;

  const service: Service = {
    mock,
    onPage: () => {},
    get handling() {
      return handling;
    },
    async handle(url, init) {
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
    keyOf: (customer) => keys.get(customer) ?? createKey(customer),
    rotateKeys() {
      rotations += 1;
      for (const [customer, old] of [...keys]) {
        createKey(customer);
        sim.timeline.after(GRACE, 'event', () => mock.keys.revoke(old));
      }
    },
    changeLimit(next) {
      limit = next;
      for (const key of keys.values()) {
        mock.keys.revoke(key);
        mock.keys.create({ key, rateLimit: limit });
      }
    },
    plan(step) {
      if (step.kind === 'proxy-page') {
        mock.faults.once('*', {
          status: 502,
          headers: { 'content-type': 'text/html', 'x-ratelimit-limit': String(step.limit) },
          body: '<html><title>Bad gateway</title></html>',
        });
      } else {
        mock.faults.once('*', { status: step.status, headers: retryAfter(sim, step) });
      }
    },
  };
  return service;
};
