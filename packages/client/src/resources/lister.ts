import type { ListQueries } from '../contract/types/index.ts';
import { checkNames } from '../options/check-names.ts';
import { CALL_OPTIONS } from '../options/option-names.ts';
import type { CallOptions } from '../options/options.ts';
import { Paginated } from '../pagination/paginated.ts';
import type { ListOperation } from '../pagination/read-page.ts';
import { createReadPage } from '../pagination/read-page.ts';
import type { DataOf, Requester } from '../transport/transport.ts';

/** Options of a list: those of each of its calls, and how to iterate. */
export interface ListOptions extends CallOptions {
  /**
   * Pages to read before they are needed while iterating.
   *
   * @default 0
   */
  prefetch?: number | undefined;
}

const LIST_OPTIONS = [...CALL_OPTIONS, 'prefetch' satisfies keyof ListOptions];

/** One row of a list. */
type RowOf<Id extends ListOperation> = DataOf<Id>[number];

/** What a list can be narrowed by. */
export type QueryOf<Id extends ListOperation> = ListQueries[Id];

/** Makes lists that come in pages. */
export type Lister = <Id extends ListOperation>(
  id: Id,
  query?: QueryOf<Id>,
  options?: ListOptions,
) => Paginated<RowOf<Id>>;

export const createLister =
  (requester: Requester): Lister =>
  <Id extends ListOperation>(id: Id, query?: QueryOf<Id>, options: ListOptions = {}) => {
    checkNames(`option of ${id}`, options, LIST_OPTIONS);
    const { prefetch, ...call } = options;
    return new Paginated<RowOf<Id>>({
      operation: id,
      read: createReadPage(id, { ...query }, call, requester),
      query: { ...query },
      limit: query?.limit,
      offset: query?.offset,
      prefetch,
      signal: call.signal,
    });
  };
