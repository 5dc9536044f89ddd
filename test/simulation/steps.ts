import type { Random } from '../support/random.ts';
import { ATTACKS } from './actors/attacker.ts';
import { drawCall } from './actors/calls.ts';
import type { PlannedCall } from './actors/client.ts';
import { phoneOf } from './actors/service.ts';
import { TRUE_WAIT_HEADER } from './network/api-link.ts';
import type { Link } from './network/conditions.ts';
import { drawWeather } from './network/conditions.ts';
import type { Settings } from './settings.ts';
import { CALM_FROM } from './sim.ts';
import type { World } from './world.ts';

/** An event of a run. All of its chances except those of the network were drawn before the run. */
export interface Step {
  readonly kind: string;
  /** Milliseconds from the start. */
  readonly at: number;
  /** @param id The number of the step. */
  run(world: World, id: number): void;
}

/** Milliseconds from the start in which calls start. */
const BUSY_FOR = 90_000;

/** Draws several steps. */
const many = (count: number, draw: () => Step): Step[] => Array.from({ length: count }, draw);

/** Draws a moment. */
const moment = (random: Random): number => random.integer(0, BUSY_FOR);

/** Draws the moment at which something starts, and a later one before the calm at which it ends. */
const interval = (random: Random, longest: number) => {
  const at = moment(random);
  return { at, until: Math.min(CALM_FROM, at + random.integer(500, longest)) };
};

/** A step in which a client makes a call. */
const callStep = (at: number, client: number, call: PlannedCall): Step => ({
  kind: 'call',
  at,
  run: ({ clients }, id) => clients[client]?.call(id, call),
});

/** Draws several calls of one client at once, because only these wait in its queue. */
const drawBurst = (random: Random, { clients }: Settings): Step[] => {
  const start = moment(random);
  const client = random.integer(0, clients.length - 1);
  const alike = random.chance(0.4) ? drawCall(random) : undefined;
  return many(random.pick([1, 1, 3, 12]), () => {
    const at = start + random.pick([0, 0, 5, 300]);
    const plan = alike === undefined ? drawCall(random) : { ...alike, pick: random.next() };
    return callStep(at, client, {
      plan,
      timeout: random.chance(0.1) ? random.pick([800, 60_000]) : undefined,
      abortAfter: random.chance(0.08) ? random.integer(0, 20_000) : undefined,
    });
  });
};

/** Draws a function that writes a `Retry-After` in one of its formats, with the milliseconds that it means. */
const drawRetryAfter = (random: Random) => {
  const format = random.pick(['none', 'seconds', 'date', 'two']);
  const seconds = random.pick([1, 4, 20, 90, 5_400]);
  return (nowMs: number): Readonly<Record<string, string>> => {
    const headers = {
      seconds: { 'retry-after': `${seconds}` },
      two: { 'retry-after': `1, ${seconds}` },
      date: {
        date: new Date(nowMs).toUTCString(),
        'retry-after': new Date(nowMs + seconds * 1_000).toUTCString(),
      },
    };
    return format === 'none' ? {} : { ...headers[format], [TRUE_WAIT_HEADER]: `${seconds * 1_000}` };
  };
};

/** Draws errors and limits of the service, pages of a proxy in front of it, and rotations of keys. */
const drawApiTrouble = (random: Random, { limit: { perMs } }: Settings): Step[] => [
  ...many(random.pick([0, 0, 2, 5]), () => {
    const at = moment(random);
    const status = random.pick([429, 429, 503, 503, 500, 408]);
    const retryAfter = drawRetryAfter(random);
    return {
      kind: 'api-fault',
      at,
      run: ({ sim, mock }) => mock.faults.once('*', { status, headers: retryAfter(sim.timeline.now()) }),
    };
  }),
  ...many(random.pick([0, 0, 2]), () => {
    const at = moment(random);
    const headers = { 'content-type': 'text/html', 'x-ratelimit-limit': String(random.pick([1, 1_000])) };
    const body = '<html><title>Bad gateway</title></html>';
    return {
      kind: 'proxy-page',
      at,
      run: ({ mock }) => mock.faults.once('*', { status: 502, headers, body }),
    };
  }),
  ...many(random.pick([0, 0, 1, 3]), () => {
    const at = moment(random);
    const limit = { requests: random.integer(2, 25), perMs };
    return { kind: 'limit', at, run: ({ service }) => service.changeLimit(limit) };
  }),
  ...many(random.pick([0, 0, 1]), () => ({
    kind: 'rotate-key',
    at: moment(random),
    run: ({ service }) => service.rotateKeys(),
  })),
];

/** The phone numbers of leads that the service itself creates. */
const FIRST_PHONE = 2_000_000;
const FIRST_FLOOD = 3_000_000;

/** The most rows of a flood. A walk gives up after about 34 pages that begin with the same row. */
const MAX_ROWS = 25;

const drawChange = (random: Random): Step => {
  const at = random.integer(0, BUSY_FOR + 20_000);
  const change = random.pick(['create', 'delete', 'activate']);
  const pick = random.next();
  return {
    kind: 'row',
    at,
    run({ mock: { leads } }, id) {
      const rows = leads.find();
      const row = rows[Math.floor(pick * rows.length)];
      if (change === 'create') {
        leads.create({ phone: phoneOf(FIRST_PHONE + id) });
      } else if (row !== undefined && change === 'delete') {
        leads.delete(row.id);
      } else if (row !== undefined) {
        leads.update(row.id, { status: 'active' });
      }
    },
  };
};

/** Draws rows that are created one after the other, while a client walks through the list in small pages. */
const drawFlood = (random: Random, clients: number): Step[] => {
  const { at, until } = interval(random, 60_000);
  const limit = random.integer(2, 5);
  // 0 means one row for each page that is read.
  const everyMs = random.pick([0, 0, 40, 300]);
  const flood = ({ sim, mock, service }: World, id: number, created = 0): void => {
    if (sim.elapsed() >= until || created >= MAX_ROWS) {
      service.onPage = () => {};
      return;
    }
    mock.leads.create({ phone: phoneOf(FIRST_FLOOD + id * 1_000 + created) });
    const next = () => flood({ sim, mock, service } as World, id, created + 1);
    if (everyMs === 0) {
      service.onPage = next;
    } else {
      sim.after(everyMs, next);
    }
  };
  const client = random.integer(0, clients - 1);
  const plan = { ...drawCall(random), op: 'all' as const, limit };
  return [{ kind: 'flood', at, run: (world, id) => flood(world, id) }, callStep(at, client, { plan })];
};

/** Draws rows that appear, change and disappear while clients list them. */
const drawRows = (random: Random, { leads, clients }: Settings): Step[] => [
  ...many(leads === 0 ? 0 : random.pick([0, 5, 30]), () => drawChange(random)),
  ...(random.chance(0.25) ? drawFlood(random, clients.length) : []),
];

/** Draws deliveries, redeliveries, attacks, and rotations of the secret. */
const drawDeliveries = (random: Random): Step[] => [
  ...many(random.integer(0, 6), () => {
    const at = moment(random);
    const count = random.pick([1, 1, 4]);
    const fault = { copies: random.pick([1, 1, 2]), delayMs: random.pick([0, 0, 5_000]) };
    return {
      kind: 'inbound',
      at,
      run({ mock }, id) {
        for (let message = 0; message < count; message += 1) {
          mock.webhooks.deliveryFaults.once(fault);
          void mock.inbound({
            phone: phoneOf(message),
            channel: 'whatsapp',
            body: `Message ${id}.${message}`,
          });
        }
      },
    };
  }),
  ...many(random.pick([0, 0, 2]), () => {
    const at = moment(random);
    const pick = random.next();
    return { kind: 'redeliver', at, run: ({ sender }) => sender.redeliver(pick) };
  }),
  ...many(random.pick([0, 2, 6]), () => {
    const at = random.integer(0, CALM_FROM);
    const attack = random.pick(ATTACKS);
    const pick = random.next();
    return { kind: 'attack', at, run: ({ attacker }) => attacker.attack(attack, pick) };
  }),
  ...many(random.pick([0, 0, 0, 1]), () => ({
    kind: 'rotate-secret',
    at: moment(random),
    run: ({ sender }) => sender.rotateSecret(),
  })),
];

/** Draws failures between the processes, and crashes of processes. */
const drawOutages = (random: Random, { clients, hooks }: Settings): Step[] => {
  const drawLink = (): Link => random.pick(['api', 'hook']);
  return [
    ...many(random.pick([0, 1, 3]), () => {
      const { at, until } = interval(random, 60_000);
      const [link, weather] = [drawLink(), drawWeather(random)];
      return { kind: 'weather', at, run: ({ conditions }) => conditions.setWeather(link, weather, until) };
    }),
    ...many(random.pick([0, 0, 2]), () => {
      const { at, until } = interval(random, 15_000);
      const link = drawLink();
      const who = random.integer(0, Math.max(clients.length, hooks.receivers) - 1);
      return { kind: 'partition', at, run: ({ conditions }) => conditions.cut(link, who, until) };
    }),
    ...many(random.pick([0, 0, 2]), () => {
      const { at, until } = interval(random, 12_000);
      const store = random.pick(['budget', 'dedupe']);
      const silent = random.chance(0.5);
      return { kind: 'store-outage', at, run: ({ stores }) => stores[store].interrupt(silent, until) };
    }),
    ...many(random.pick([0, 0, 1, 3]), () => {
      const { at, until } = interval(random, 20_000);
      const who = random.pick(['client', 'receiver', 'receiver', 'worker']);
      const which = random.integer(0, 2);
      return {
        kind: 'crash',
        at,
        run: (world) =>
          who === 'client' ? world.clients[which]?.crash(until) : world.receivers.crash(who, which, until),
      };
    }),
  ];
};

/** Draws everything that happens in a run. */
export const drawSteps = (random: Random, settings: Settings): Step[] => [
  ...Array.from({ length: random.integer(2, 7) }, () => drawBurst(random, settings)).flat(),
  ...drawApiTrouble(random, settings),
  ...drawRows(random, settings),
  ...drawDeliveries(random),
  ...drawOutages(random, settings),
];
