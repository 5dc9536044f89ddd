import { PaginationMetaSchema } from '../contract/index.ts';
import type { Issue, OperationId, PaginationMeta } from '../contract/types/index.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { Requester } from '../transport/transport.ts';

/** An operation that answers with one page of a list. */
export type ListOperation = Extract<OperationId, 'conversations.list' | 'leads.list'>;

/** A stretch of a list, as the service gave it. */
export interface RawPage<Row> {
  readonly operation: ListOperation;
  /** Where it was asked for. */
  readonly offset: number;
  readonly rows: Row[];
  /** Rows of the whole list; undefined when the service did not say, or said less than it sent. */
  readonly total: number | undefined;
  /** As the service sent it, or made up from what it sent. */
  readonly meta: PaginationMeta;
  /** The rows asked for; undefined when that was left to the service. */
  readonly asked: number | undefined;
}

export type ReadPage<Row> = (
  range: { offset?: number | undefined; limit?: number | undefined },
  signal?: AbortSignal,
) => Promise<RawPage<Row>>;

/** Reads pages of a list, and says when their `meta` cannot be right. */
export const createReadPage =
  <Row>(
    operation: ListOperation,
    query: Readonly<Record<string, unknown>>,
    options: CallOptions,
    requester: Requester,
  ): ReadPage<Row> =>
  async (range, signal = options.signal) => {
    const reply = await requester.exchange(
      operation,
      { query: { ...query, ...range } },
      signal === undefined ? options : { ...options, signal },
    );
    const envelope = reply.decode();
    const rows: unknown = envelope.data;
    // Without ids nobody can tell which rows were given before.
    if (!Array.isArray(rows) || !rows.every((row) => typeof row?.id === 'string')) {
      throw new InvalidResponseError(`${operation} answered with data that is not a list of rows with ids.`, {
        operation,
        status: reply.answer.status,
      });
    }

    const offset = range.offset ?? 0;
    const end = offset + rows.length;
    const meta = PaginationMetaSchema.safeParse(envelope.meta).data;
    const issues: Issue[] = [];
    const contradiction = meta !== undefined && rows.length > 0 && meta.total < end;
    if (contradiction) {
      issues.push({ path: 'meta.total', message: `is ${meta.total}, but rows up to ${end} came` });
    }
    if (meta !== undefined && meta.offset !== offset) {
      issues.push({ path: 'meta.offset', message: `is ${meta.offset}, but ${offset} was asked for` });
    }
    if (meta !== undefined && range.limit !== undefined && meta.limit !== range.limit) {
      issues.push({ path: 'meta.limit', message: `is ${meta.limit}, but ${range.limit} was asked for` });
    }
    reply.object(issues);

    return {
      operation,
      offset,
      rows,
      total: contradiction ? undefined : meta?.total,
      meta: meta ?? { total: end, limit: range.limit ?? rows.length, offset },
      asked: range.limit,
    };
  };
