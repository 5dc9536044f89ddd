import { describeIssues } from '@confab/client/contract';
import { quoted, typeName, unknownNames } from '@confab/internal';
import type * as z from 'zod/mini';
import { CollectionError } from '../../errors/mock-error.ts';
import type { OpenEnums } from './rows.ts';
import { newValues } from './rows.ts';

export interface RowCheckOptions<T> {
  /** The name of a row in messages: `lead`. */
  readonly noun: string;
  /** Brings a row into its stored form. */
  readonly schema: z.ZodMiniType<T> & { readonly shape: object };
  /** Fields in which only the values of the contract are accepted. */
  readonly closed?: OpenEnums | undefined;
  /** Does what the schema can't. Throws the error that `refusal` returns if the row is invalid. */
  readonly normalize?: ((row: T, refusal: (why: string) => CollectionError) => T) | undefined;
}

/** Checks the rows of one collection against the contract. */
export class RowCheck<T extends object> {
  readonly #options: RowCheckOptions<T>;
  readonly #fields: readonly string[];

  constructor(options: RowCheckOptions<T>) {
    this.#options = options;
    this.#fields = Object.keys(options.schema.shape);
  }

  /**
   * Checks that the fields of a row are an object.
   *
   * @param name What the error calls the row. By default: `This lead`.
   * @throws {@link CollectionError} When they are anything else.
   */
  refuseNonObject(fields: unknown, name?: string): void {
    if (Object.prototype.toString.call(fields) !== '[object Object]') {
      throw this.error(`it must be an object, got ${typeName(fields)}`, name);
    }
  }

  /** Returns what is wrong with the names of some fields; undefined if all of them exist. */
  misspelled(values: object): string | undefined {
    return unknownNames(`${this.#options.noun} field`, values, this.#fields);
  }

  /**
   * Returns a row in its stored form, frozen.
   *
   * @param name What the message calls the row: `data.leads[3]`.
   * @throws {@link CollectionError} When a field or value does not match the contract.
   */
  toStored(row: T, name?: string): T {
    const result = this.#options.schema.safeParse(row);
    if (!result.success) {
      const problem = this.misspelled(row);
      if (problem !== undefined) {
        throw this.error(problem.replace('Unknown', 'unknown'), name);
      }
      const issues = describeIssues(result.error, row).map(({ path, message }) => `${path} ${message}`);
      throw this.error(issues.join('; '), name);
    }
    const { closed, normalize } = this.#options;
    const [unknown] = closed === undefined ? [] : newValues(result.data, closed);
    if (unknown !== undefined) {
      const { field, value, hint } = unknown;
      throw this.error(
        `${field} has the value ${quoted(value)}, which is not in the contract, and the mock is strict. ${hint}`,
        name,
      );
    }
    const refusal = (why: string) => this.error(why, name);
    return Object.freeze(normalize?.(result.data, refusal) ?? result.data);
  }

  /** The error for a row that cannot be stored. */
  error(why: string, name = `This ${this.#options.noun}`): CollectionError {
    return new CollectionError(`${name} cannot be stored: ${why}`);
  }
}
