import type { ComponentChildren } from 'preact';

interface ViewProps {
  readonly title: string;
  /** What the view is for, in a sentence. */
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
        <p class="intro">{intro}</p>
      </div>
      {tools !== undefined && <div class="tools">{tools}</div>}
    </div>
    {children}
  </section>
);
