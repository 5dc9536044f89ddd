interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly onMove: (offset: number) => void;
}

/** Moves between the pages of a list. */
export const Pager = ({ offset, limit, total, onMove }: PagerProps) => (
  <div class="pager">
    <p class="count">
      {Math.min(offset + 1, total)} to {Math.min(offset + limit, total)} of {total}
    </p>
    {total > limit && (
      <div>
        <button type="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
          Previous
        </button>
        <button type="button" disabled={offset + limit >= total} onClick={() => onMove(offset + limit)}>
          Next
        </button>
      </div>
    )}
  </div>
);
