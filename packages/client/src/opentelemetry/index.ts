/**
 * Records a span for each call and each attempt with OpenTelemetry.
 *
 * @packageDocumentation
 */

export type { InstrumentOptions } from './instrument.ts';
export { instrument } from './instrument.ts';
