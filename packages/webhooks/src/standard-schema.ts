/**
 * A schema from any library that implements Standard Schema, such as zod, valibot and arktype.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface that Standard Schema defines. */
  readonly '~standard': {
    /** The version of Standard Schema. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The types of the schema. They exist only for the compiler. */
    readonly types?:
      | {
          /** The type that the schema accepts. */
          readonly input: Input;
          /** The type of a valid value. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** The result of a schema: the value, or a list of issues. */
export type StandardResult<Output> =
  | {
      /** The valid value. */
      readonly value: Output;
      /** Missing for a valid value. */
      readonly issues?: undefined;
    }
  | {
      /** Everything that is wrong with the value. */
      readonly issues: readonly StandardIssue[];
    };

/** One problem with a value. */
export interface StandardIssue {
  /** The description of the problem. */
  readonly message: string;
  /** The path from the validated value to the invalid part. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The name or index of the field. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** The type of the values that a schema returns. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];
