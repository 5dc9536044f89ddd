import type { Random } from './random.ts';

/** `fine` succeeds, `flaky` fails twice before it succeeds, and `poison` always fails. */
export type Kind = 'fine' | 'flaky' | 'poison';

/** How often a flaky delivery fails. */
export const FLAKY_FAILURES = 2;

/** A delivery that the sender has to get through. */
export interface SampleDelivery {
  readonly id: string;
  readonly kind: Kind;
  /** The sender delivers it once more, some time after it was accepted. */
  readonly duplicate: boolean;
}

/** Creates the deliveries of a run: 5 % are poison, 10 % flaky, and 30 % are sent twice. */
export const createDeliveries = (count: number, random: Random): SampleDelivery[] =>
  Array.from({ length: count }, (_, index) => {
    const fraction = random.fraction();
    return {
      id: `d${index}`,
      kind: fraction < 0.05 ? 'poison' : fraction < 0.15 ? 'flaky' : 'fine',
      duplicate: random.fraction() < 0.3,
    };
  });
