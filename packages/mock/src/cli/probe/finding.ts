import { DEFAULT_BEHAVIOR } from '../../world/behavior.ts';
import type { MockOptions } from '../../world/options.ts';
import { NoAnswer } from './no-answer.ts';
import type { Service } from './service.ts';

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
  readonly name: string;
  /** Whether it is asked only with `--allow-writes`. */
  readonly writes?: boolean;
  ask(service: Service): Promise<readonly Finding[]>;
}

/** Turns a {@link NoAnswer} into a question that stays unknown. */
export const orUnknown = async <T>(question: string, find: () => Promise<T>): Promise<T | Unknown> => {
  try {
    return await find();
  } catch (error) {
    if (error instanceof NoAnswer) {
      return { question, reason: error.message, settle: error.settle };
    }
    throw error;
  }
};

const text = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

type Path = readonly [keyof MockOptions, ...string[]];

/** Writes a path as code: `behavior.codes["leads.get"][404]`. */
const shown = (path: Path): string =>
  path
    .map((name) =>
      /^[a-z]\w*$/i.test(name) ? `.${name}` : `[${/^\d+$/.test(name) ? name : JSON.stringify(name)}]`,
    )
    .join('')
    .slice(1);

const defaultOf = (path: Path): unknown =>
  path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), { behavior: DEFAULT_BEHAVIOR });

/** An answer: the value of an option. */
export const learned = (question: string, path: Path, value: unknown, preset = defaultOf(path)): Learned => ({
  question,
  service: text(value),
  mock: text(preset),
  option: shown(path),
  options: path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as MockOptions,
});

interface Rule {
  readonly question: string;
  /** The names that lead to the option. */
  readonly path: Path;
  /** What the mock does by default, if it is no behavior. */
  readonly preset?: unknown;
  readonly writes?: boolean;
  /**
   * Returns the value of the option; `undefined` if the service does what the mock does, and no value stands for it.
   *
   * @throws {@link NoAnswer} When the evidence is too thin.
   */
  ask(service: Service): Promise<unknown>;
}

/** A question about one option. */
export const rule = ({ question, path, preset = defaultOf(path), writes = false, ask }: Rule): Question => ({
  name: question,
  writes,
  async ask(service) {
    const find = async () => {
      const value = await ask(service);
      return value === undefined
        ? { ...learned(question, path, preset, preset), option: 'none needed', options: {} }
        : learned(question, path, value, preset);
    };
    return [await orUnknown(question, find)];
  },
});
