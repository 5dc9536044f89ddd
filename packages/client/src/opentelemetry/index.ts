export type { InstrumentOptions } from './instrument.ts';
export { instrument } from './instrument.ts';
