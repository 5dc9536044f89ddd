import type { ComponentChildren } from 'preact';
import type { Live } from '../live/use-live.ts';

interface LoadedProps<T> {
  readonly live: Live<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a live value once it is there, and why it could not be loaded. */
export const Loaded = <T,>({ live: { value, problem }, children }: LoadedProps<T>) => (
  <>
    {problem !== undefined && (
      <p class="problem" role="alert">
        {problem}
      </p>
    )}
    {value !== undefined && children(value)}
    {value === undefined && problem === undefined && <p class="loading">Loading…</p>}
  </>
);
