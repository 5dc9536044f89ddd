import type { PaginationMeta } from './paging.ts';

/** The body of a response that carries one value. */
export interface ItemEnvelope<Data> {
  /** Always `true` for a success. */
  success: true;
  /** The value. */
  data: Data;
}

/** The body of a response that carries one page of a list. */
export interface PageEnvelope<Row> {
  /** Always `true` for a success. */
  success: true;
  /** The rows of the page. */
  data: Row[];
  /** The position of the page in its list. */
  meta: PaginationMeta;
}

/** The body of a response that carries a whole list. */
export interface ListEnvelope<Row> {
  /** Always `true` for a success. */
  success: true;
  /** The rows of the list. */
  data: Row[];
  /** The size of the list. The API does not promise to send it. */
  meta?: PaginationMeta | undefined;
}

/** The body of every error response. */
export interface ErrorEnvelope {
  /** Always `false` for an error. */
  success: false;
  /** What went wrong, in words for people. */
  error: string;
  /**
   * What went wrong, for programs: `API_KEY_REQUIRED`, `API_KEY_INVALID`, `SCOPE_REQUIRED`, `RATE_LIMIT_EXCEEDED` or a
   * code that the API does not publish.
   */
  code: string;
}
