import { useId } from 'preact/hooks';
import type { Key } from '../../api/types.ts';

const spanText = (ms: number): string => {
  if (ms === 60_000) {
    return 'minute';
  }
  return ms % 1_000 === 0 ? `${ms / 1_000} seconds` : `${ms} ms`;
};

/** How full the rate-limit window of a key is. */
export const Window = ({ shown: { used, rateLimit } }: { readonly shown: Key }) => {
  const id = useId();
  const { requests, perMs } = rateLimit;
  if (requests === null) {
    return <p class="sub">No rate limit; {used} requests lately.</p>;
  }
  return (
    <div class="window">
      <label for={id}>
        {used} of {requests} requests per {spanText(perMs)}
      </label>
      <meter id={id} min={0} max={requests} value={used} high={requests * 0.8} optimum={0} />
    </div>
  );
};
