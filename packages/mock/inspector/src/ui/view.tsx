import type { ComponentChildren } from 'preact';
import type { Live } from '../live/live.ts';

interface ViewProps {
  readonly title: string;
  /** The purpose of the view, in a sentence. */
  readonly intro: string;
  /** Buttons and filters. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a view: its heading, its tools and its content. */
export const View = ({ title, intro, tools, children }: ViewProps) => (
  <section class="view">
    <div class="view-head">
      <div>
        <h1>{title}</h1>
        <p class="sub">{intro}</p>
      </div>
      {tools !== undefined && <div class="tools">{tools}</div>}
    </div>
    {children}
  </section>
);

/** The reason for a failure. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );

interface LoadedProps<T> {
  readonly live: Live<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a live value once it is loaded, or why it could not be loaded. */
export const Loaded = <T,>({ live: { value, problem }, children }: LoadedProps<T>) => (
  <>
    <Problem text={problem} />
    {value !== undefined && children(value)}
    {value === undefined && problem === undefined && <p class="loading sub">Loading…</p>}
  </>
);

interface EmptyProps {
  readonly title: string;
  /** How to get content into the view. */
  readonly children: ComponentChildren;
}

/** The content of a view that has nothing to show. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <strong>{title}</strong>
    <p class="sub">{children}</p>
  </div>
);
