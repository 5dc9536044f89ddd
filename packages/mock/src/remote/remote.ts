import type { Fault, PlannedFault } from '../world/faults/fault.ts';

/** Arguments that can be sent: without the functions that a method also accepts in the process of the mock. */
export type SendableArguments<Arguments extends readonly unknown[]> = {
  [At in keyof Arguments]: Exclude<Arguments[At], (...parameters: never[]) => unknown>;
};

/**
 * The asynchronous twin of a part of a mock: each method returns a promise, and so does each list or number, which becomes
 * a method.
 */
export type Remote<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...parameters: infer Arguments) => infer Result
    ? (...parameters: SendableArguments<Arguments>) => Promise<Awaited<Result>>
    : () => Promise<Part[Name]>;
};

/** A planned fault of a served mock. */
export interface RemotePlannedFault extends Omit<PlannedFault, 'fault'> {
  /** The fault, or null for a function in the process that serves the mock. */
  readonly fault: Fault | null;
}

/** A snapshot that the server keeps. */
export interface RemoteSnapshot {
  /** Its id. */
  readonly id: string;
  /** When it was taken: an RFC 3339 date-time on the mock's clock. */
  readonly takenAt: string;
}
