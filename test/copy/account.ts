import type { Clock, Conversation, Message } from '@confab/client';
import type { Random } from '../support/random.ts';

const START = Date.UTC(2026, 0, 1);
const isoOf = (time: number): string => new Date(time).toISOString();
const uuidOf = (kind: number, number: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The order in which rows move even if nothing changes. */
export const RESTLESS = 'createdAt desc, equal ones at random';

/** The orders in which the service may sort its list, by ascending key. */
export const ORDERS: Readonly<
  Record<string, (row: Conversation, position: number, random: Random) => number | string>
> = {
  'createdAt asc': ({ createdAt }) => Date.parse(createdAt),
  'createdAt desc': ({ createdAt }) => -Date.parse(createdAt),
  'lastMessageAt asc': ({ lastMessageAt }) => Date.parse(lastMessageAt ?? isoOf(0)),
  'lastMessageAt desc': ({ lastMessageAt }) => -Date.parse(lastMessageAt ?? isoOf(0)),
  'lastMessageAt desc, none first': ({ lastMessageAt }) => -Date.parse(lastMessageAt ?? isoOf(8e15)),
  priority: ({ priority, id }) => `${priority} ${id}`,
  'status, lastMessageAt desc': ({ status, lastMessageAt }) =>
    `${status} ${1e15 - Date.parse(lastMessageAt ?? isoOf(0))}`,
  none: (_, position) => position,
  // As in a database query without a second key: the rows of one hour come in a different order each time.
  [RESTLESS]: ({ createdAt }, _, random) =>
    -Math.floor(Date.parse(createdAt) / 3_600_000) + random.next() / 2,
};

/**
 * Creates an account whose conversations change, in a service written by hand: it shares no code with the mock, and sorts
 * its list in ways that the mock does not know.
 *
 * @param pageSize The most rows on a page.
 */
export const createAccount = (order: string, pageSize: number, sendsDate: boolean, random: Random) => {
  let now = START;
  let count = 0;
  const rows = new Map<string, Conversation>();
  const written = new Map<string, Message[]>();
  const keyOf = ORDERS[order] ?? (() => 0);

  const list = (query: URLSearchParams): object => {
    const status = query.get('status');
    const sorted = [...rows.values()]
      .map((row, position) => ({ row, key: keyOf(row, position, random) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ row }) => row)
      .filter((row) => status === null || row.status === status);
    const offset = Number(query.get('offset'));
    const limit = Math.min(pageSize, Number(query.get('limit')));
    const data = sorted.slice(offset, offset + limit);
    return { data, meta: { total: sorted.length, limit, offset } };
  };

  const put = (id: string, changes: Partial<Conversation>): void => {
    const row = rows.get(id);
    if (row !== undefined) {
      rows.set(id, { ...row, ...changes });
    }
  };

  return {
    fetch: async (url: string) => {
      const { pathname, searchParams } = new URL(url);
      const row = rows.get(pathname.split('/').at(-1) ?? '');
      const headers: HeadersInit = sendsDate ? { date: new Date(now).toUTCString() } : {};
      if (pathname.endsWith('/conversations')) {
        return Response.json({ success: true, ...list(searchParams) }, { headers });
      }
      if (row === undefined) {
        const error = { success: false, error: 'No such conversation', code: 'GONE' };
        return Response.json(error, { status: 404, headers });
      }
      const messages = (written.get(row.id) ?? []).slice(-Number(searchParams.get('messagesLimit')));
      return Response.json({ success: true, data: { ...row, messages } }, { headers });
    },
    /** The clock of the service. */
    clock: {
      now: () => now,
      // A wait ends at once, and no call times out.
      sleep: (ms, signal, purpose) =>
        new Promise<void>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          if (purpose !== 'timeout') {
            now += ms;
            resolve();
          }
        }),
    } satisfies Clock,
    advance(ms: number): void {
      now += ms;
    },
    /** The ids of the conversations that exist. */
    ids: () => [...rows.keys()],
    get: (id: string) => rows.get(id),
    messages: (id: string): readonly Message[] => written.get(id) ?? [],
    /** Opens a conversation. */
    open(): string {
      count += 1;
      const id = uuidOf(1, count);
      rows.set(id, {
        id,
        pipelineId: uuidOf(2, 1),
        leadId: null,
        channel: 'chat',
        status: 'open',
        priority: 'medium',
        lastMessageAt: null,
        createdAt: isoOf(now),
      });
      return id;
    },
    write(id: string): void {
      count += 1;
      const message: Message = {
        id: uuidOf(3, count),
        conversationId: id,
        senderType: 'lead',
        direction: 'inbound',
        messageType: 'text',
        content: `${count}`,
        createdAt: isoOf(now),
      };
      written.set(id, [...(written.get(id) ?? []), message]);
      put(id, { lastMessageAt: message.createdAt });
    },
    change: put,
    delete(id: string): void {
      rows.delete(id);
      written.delete(id);
    },
  };
};

export type Account = ReturnType<typeof createAccount>;
