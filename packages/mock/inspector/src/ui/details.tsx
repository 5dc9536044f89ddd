import type { ComponentChildren } from 'preact';

interface DetailsProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names and values, one below the other; rows without a value are left out. */
export const Details = ({ rows }: DetailsProps) => (
  <dl class="details">
    {rows.map(
      ([name, value]) =>
        value !== undefined &&
        value !== '' && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
