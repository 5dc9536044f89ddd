import type { MockOptions } from '../../world/options.ts';
import type { Service } from './service.ts';

/** The names that lead to an option. */
export type OptionPath = readonly [keyof MockOptions, ...string[]];

/** A question that the API's documentation leaves open, and how to read the answer of a service. */
export interface Question {
  readonly text: string;
  readonly option: OptionPath;
  /** What the mock does by default, if it is no `behavior`. */
  readonly preset?: unknown;
  /** Whether only a write gives the answer. */
  readonly writes?: boolean;
  /** The part of the option that the question is about. */
  readonly show?: (value: unknown) => unknown;
  /**
   * Returns the value of the option; `undefined` if the service does what the mock does by default, and no value stands
   * for it.
   *
   * @throws {@link NoAnswer} When the evidence is too thin.
   */
  ask(service: Service): Promise<unknown>;
}

/** What the service does, and the option that makes the mock do the same. */
interface Answer {
  readonly question: string;
  readonly service: string;
  /** What the mock does by default. */
  readonly mock: string;
  /** The path of the option as code: `behavior.order["leads.list"]`. */
  readonly option: string;
  /** The value of the option; `undefined` if none is needed. */
  readonly value: unknown;
}

/** A question without an answer. */
export interface Unknown {
  readonly question: string;
  readonly reason: string;
  /** What would give the answer. */
  readonly remedy: string;
}

export type Finding = Answer | Unknown;
