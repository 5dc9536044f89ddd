import type { Figures } from './figures.ts';
import type { LoadFigures } from './load/load.ts';

/** Everything that is measured at one moment. */
export interface Sample {
  /** Since the start of the load. */
  readonly seconds: number;
  /** Sent so far. */
  readonly requests: number;
  readonly server: Figures;
  /** The process that sends the requests. */
  readonly load: Figures;
  readonly worlds: number;
  /** Since the last sample. */
  readonly latency: LoadFigures;
}
