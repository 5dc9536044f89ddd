import { DEFAULT_BEHAVIOR } from '../../world/behavior.ts';
import type { MockOptions } from '../../world/options.ts';
import type { Reply, Service } from './service.ts';

/** What the service does, and the option that makes the mock do the same. */
export interface Learned {
  readonly question: string;
  readonly service: string;
  /** What the mock does by default. */
  readonly mock: string;
  /** The path of the option: `behavior.order["leads.list"]`. */
  readonly option: string;
  readonly options: MockOptions;
}

/** A question without an answer. */
export interface Unknown {
  readonly question: string;
  readonly reason: string;
  /** What would give the answer. */
  readonly settle: string;
}

export type Finding = Learned | Unknown;

/** A question that the API's documentation leaves open. */
export interface Question {
  /** What progress calls it. */
  readonly topic: string;
  /** Whether it is asked only with `--allow-writes`. */
  readonly writes?: boolean;
  ask(service: Service): Promise<readonly Finding[]>;
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

const segment = (name: string, at: number): string => {
  if (!/^[a-z]\w*$/i.test(name)) {
    return /^\d+$/.test(name) ? `[${name}]` : `[${JSON.stringify(name)}]`;
  }
  return at === 0 ? name : `.${name}`;
};

const presetOf = (path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    { behavior: DEFAULT_BEHAVIOR },
  );

/**
 * An answer.
 *
 * @param path The names that lead to the option.
 * @param preset What the mock does by default, if it is no behavior.
 */
export const learned = (
  question: string,
  path: readonly [keyof MockOptions, ...string[]],
  value: unknown,
  preset: unknown = presetOf(path),
): Learned => ({
  question,
  service: text(value),
  mock: text(preset),
  option: path.map(segment).join(''),
  options: path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as MockOptions,
});

/** A question without an answer. */
export const unknown = (question: string, reason: string, settle: string): Unknown => ({
  question,
  reason,
  settle,
});

/** A question without an answer, because a reply is not the one that it needs. */
export const unanswered = (question: string, reply: Reply): Unknown => {
  const { operation, status, failure } = reply;
  if (failure !== undefined) {
    return unknown(
      question,
      failure,
      'Run the probe again, with a higher --max-requests if the budget was used up.',
    );
  }
  if (status === 403) {
    return unknown(question, `the key may not call ${operation}`, 'Use a key that has the scope.');
  }
  return unknown(
    question,
    `${operation} responded with ${status}${(status ?? 0) < 300 ? ', but not as the contract says' : ''}`,
    'Run the probe again when the service responds as documented.',
  );
};
