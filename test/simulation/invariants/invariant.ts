/** What must hold in every run. docs/proof/simulation.md says what each name means, with its exceptions. */
export const INVARIANTS = [
  'write-once',
  'retry-limit',
  'retry-after',
  'window',
  'concurrency',
  'order',
  'deadline',
  'visits',
  'rotation',
  'delivered',
  'forged',
  'handled-once',
  'settled',
  'expected',
] as const;

export type Invariant = (typeof INVARIANTS)[number];
