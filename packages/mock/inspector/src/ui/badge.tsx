type Tone = 'good' | 'warn' | 'bad' | 'calm';

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 500) {
    return 'bad';
  }
  return status >= 400 ? 'warn' : 'good';
};

interface BadgeProps {
  readonly tone: Tone;
  readonly children: string;
}

/** A short state, which its text tells as well as its color. */
export const Badge = ({ tone, children }: BadgeProps) => <span class={`badge ${tone}`}>{children}</span>;

/** The status of a response. */
export const StatusBadge = ({ status }: { readonly status: number | undefined }) => (
  <Badge tone={toneOf(status)}>{status === undefined ? 'none' : String(status)}</Badge>
);
