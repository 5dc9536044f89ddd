import { InvalidResponseError } from '../../../packages/client/src/errors/index.ts';
import type { ReadPage } from '../../../packages/client/src/lists/read-page.ts';
import { walk } from '../../../packages/client/src/lists/walk.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

interface Row {
  readonly id: string;
}

const LIMITS = [1, 2, 3, 5, 10, 100];
/** After this many consecutive insertions at the front, a walk fails: it can't tell them from a service that repeats a page. */
const MOST_CHANGES = 32;

/** A service whose list changes between requests, and whose answers may be wrong, as a script says. */
const createService = (script: Uint8Array, count: number, start: number) => {
  const rows: Row[] = Array.from({ length: count }, (_, at) => ({ id: `r${at}` }));
  const stay = new Set(rows.slice(start).map(({ id }) => id));
  let added = 0;
  let requests = 0;
  let at = 0;
  let lies = false;
  let changes = false;

  const remove = (from: number, count: number) => {
    const removed = rows.splice(from, count);
    changes ||= removed.length > 0;
    // Those that move before the start are no more owed than those that are gone.
    for (const { id } of [...removed, ...rows.slice(0, start)]) {
      stay.delete(id);
    }
  };

  const insert = (place: number, count: number) => {
    changes ||= count > 0;
    rows.splice(place, 0, ...Array.from({ length: count }, () => ({ id: `n${++added}` })));
  };

  const read: ReadPage<Row> = async ({ offset = 0, limit = 100 }) => {
    requests += 1;
    const [op = 0, value = 0] = script.subarray(at, at + 2);
    at += 2;
    const size = value % 7;
    const place = value % (rows.length + 1);
    let page = rows.slice(offset, offset + limit);
    let total: number | undefined = rows.length;
    const lie = (changed: Row[], changedTotal: number | undefined = total) => {
      lies = true;
      page = changed;
      total = changedTotal;
    };
    switch (op % 16) {
      case 1:
        insert(0, size);
        break;
      case 2:
        remove(0, size);
        break;
      case 3:
        insert(place, 1 + (op >> 6));
        break;
      case 4:
        remove(place, 1 + (op >> 6));
        break;
      case 5:
        lie(page, value * 40);
        break;
      case 6:
        lie(page, value === 255 ? undefined : 0);
        break;
      case 7:
        lie(rows.slice(0, limit));
        break;
      case 8:
        lie([]);
        break;
      case 9:
        lie(page.slice(0, size));
        break;
      case 10:
        lie([...page, ...page]);
        break;
      case 11:
        lie(rows.slice(offset, offset + limit + size));
        break;
      case 12:
        lie(page.toReversed());
        break;
    }
    return {
      operation: 'leads.list' as const,
      offset,
      rows: page,
      total,
      meta: { total: total ?? 0, limit, offset },
      asked: limit,
    };
  };
  return {
    read,
    /** The rows that stood at the start or behind it from the first request to now. */
    stay,
    get requests() {
      return requests;
    },
    /** Whether a row was inserted or removed. */
    get changed() {
      return changes;
    },
    /** Whether an answer contradicted the list. */
    get lied() {
      return lies;
    },
  };
};

/** The first four bytes choose rows, page size, `max`, and offset and pages ahead; each pair after them changes one response. */
export const target: Target = {
  checks:
    'A list that shrinks, grows, and lies about totals and pages while it is read: no row twice, never more than `max`, an end after a bounded number of requests; without lies, every row that stays at the offset or behind it, and exactly these rows if nothing changes',
  maxBytes: 4 + 2 * MOST_CHANGES,
  work: (bytes) => 60_000 + 2_000 * bytes,
  run: async (input) => {
    const [size = 0, limitAt = 0, maxAt = 0, ahead = 0] = input;
    // The two low bits choose the pages ahead.
    const offset = ahead >> 2;
    const service = createService(input.subarray(4), size % 64, offset);
    const max = maxAt % 4 === 0 ? maxAt % 50 : Number.POSITIVE_INFINITY;
    const seen: string[] = [];
    const options = {
      limit: LIMITS[limitAt % LIMITS.length] ?? 10,
      offset,
      max,
      ahead: ahead % 4,
      signal: new AbortController().signal,
    };
    let refused = false;
    try {
      for await (const { rows, soFar } of walk('leads.list', service.read, options)) {
        seen.push(...rows.map(({ id }) => id));
        same(soFar, seen.length, 'rows so far');
      }
    } catch (error) {
      hold(error instanceof InvalidResponseError, `threw ${error}`);
      refused = true;
    }
    same(new Set(seen).size, seen.length, 'different rows');
    hold(seen.length <= max, `${seen.length} rows of at most ${max}`);
    // Pages of two rows move the walk on by one, and each page with new rows buys patience for another without.
    const most = 200 + 4 * (MOST_CHANGES + seen.length) * (1 + options.ahead);
    hold(service.requests <= most, `${service.requests} requests for ${seen.length} rows`);
    if (!service.lied) {
      hold(!refused, 'an honest list was refused');
      if (!service.changed) {
        same(seen, [...service.stay].slice(0, max), 'the rows of a list that stays as it is');
      }
      if (max === Number.POSITIVE_INFINITY) {
        const missed = [...service.stay].filter((id) => !seen.includes(id));
        same(missed, [], 'missed rows');
      }
    }
  },
};
