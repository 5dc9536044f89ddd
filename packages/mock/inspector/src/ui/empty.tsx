import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** What to do to see something here. */
  readonly children: ComponentChildren;
}

/** What a view without content shows. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <div class="empty-hint">{children}</div>
  </div>
);
