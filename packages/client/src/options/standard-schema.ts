/** A step of the path of a {@link StandardIssue}. */
export interface StandardPathSegment {
  /** Name of a field, or index in a list. */
  readonly key: PropertyKey;
}

/** What a {@link StandardSchema} found wrong with a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is; absent for the value itself. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** What the check of a value by a {@link StandardSchema} returns: the value, perhaps converted, or issues. */
export type StandardResult<Output> =
  | {
      /** The value, perhaps converted. */
      readonly value: Output;
      /** Absent when the value is valid. */
      readonly issues?: undefined;
    }
  | {
      /** What is wrong. */
      readonly issues: readonly StandardIssue[];
    };

/**
 * A schema of zod, valibot, ArkType or another library that follows [Standard Schema](https://standardschema.dev). The
 * type is our own, so that programs that use no schemas need no package for it.
 */
export interface StandardSchema<Output = unknown> {
  /** The interface that all these libraries have in common. */
  readonly '~standard': {
    /** Version of the interface. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}
