/** The query parameters that every list with pages has. */
export interface PagingQuery {
  /**
   * The maximum number of rows in one page, from 1 to 100.
   * @default 25
   */
  limit?: number | undefined;
  /**
   * The number of rows to skip, from 0.
   * @default 0
   */
  offset?: number | undefined;
}

/** The position of a page in its list. */
export interface PaginationMeta {
  /** The number of rows in the whole list. */
  total: number;
  /** The maximum number of rows in this page. */
  limit: number;
  /** The number of rows before this page. */
  offset: number;
}
