/** A value as indented JSON. It is text: markup in it stays text. */
export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // It may scroll, so the keyboard must reach it.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  </section>
);
