import { drawCall } from '../actors/calls.ts';
import { phoneOf } from '../actors/service.ts';
import type { Random } from '../clock/random.ts';
import type { Settings } from '../settings.ts';
import type { World } from '../world.ts';
import { callStep } from './calls.ts';
import type { Step } from './step.ts';
import { BUSY_FOR, interval, many } from './step.ts';

/** Phones of leads that the service itself creates. */
const FIRST_PHONE = 2_000_000;
const FIRST_FLOOD = 3_000_000;

/** Rows of one flood: a walk gives up after about 34 pages that begin with the same row. */
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
  // With 0 milliseconds, one row for each page that is read.
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
export const drawRows = (random: Random, { leads, clients }: Settings): Step[] => [
  ...many(leads === 0 ? 0 : random.pick([0, 5, 30]), () => drawChange(random)),
  ...(random.chance(0.25) ? drawFlood(random, clients.length) : []),
];
