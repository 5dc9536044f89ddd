import { numberOf, ROW, rowOf } from './rows.ts';

const number = (url: URL, name: string, fallback: number): number =>
  Number(url.searchParams.get(name) ?? fallback);

const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => rowOf(from + at));

/** A page by cursor, as openai and stripe read it. */
const pageAfter = (url: URL, cursor: string, total: number) => {
  const after = url.searchParams.get(cursor);
  const from = after === null ? 0 : numberOf(after) + 1;
  const count = Math.max(0, Math.min(number(url, 'limit', 10), total - from));
  return { object: 'list', data: rows(from, count), has_more: from + count < total, url: url.pathname };
};

/** A page by offset, as the published API gives it. */
const pageAt = (url: URL, total: number, more: object = {}) => {
  const [offset, limit] = [number(url, 'offset', 0), number(url, 'limit', 25)];
  const data = rows(offset, Math.max(0, Math.min(limit, total - offset))).map((row) => ({ ...row, ...more }));
  return { success: true, data, meta: { total, limit, offset } };
};

/** What a path is answered with, in the shape of the client that asks for it. */
export const answerOf = (url: URL, total: number): unknown => {
  const { pathname } = url;
  if (pathname === '/api/v2/public/leads') {
    return pageAt(url, total);
  }
  if (pathname.startsWith('/api/v2/public/leads/')) {
    return { success: true, data: ROW };
  }
  const conversation = { channel: 'chat', priority: 'low', leadId: null, lastMessageAt: ROW.createdAt };
  if (pathname === '/api/v2/public/conversations') {
    return pageAt(url, total, conversation);
  }
  if (pathname.startsWith('/api/v2/public/conversations/')) {
    return { success: true, data: { ...ROW, ...conversation, messages: [ROW] } };
  }
  if (pathname === '/openai/files') {
    return pageAfter(url, 'after', total);
  }
  if (pathname === '/v1/customers') {
    return pageAfter(url, 'starting_after', total);
  }
  return ROW;
};
