import { isObject, oneLine, pathName } from '@confab/internal';
import { describeUnknownOutcome } from '../call/call-errors.ts';
import { redactBody } from '../call/describe-body.ts';
import type { ApiResponse } from '../call/types.ts';
import type { Issue } from '../contract/types.ts';
import { ConfigurationError, InvalidResponseError } from '../errors/index.ts';
import { rethrowForFramework } from '../secrecy/framework-error.ts';
import type { Redact } from '../secrecy/redact.ts';
import { safeCause } from '../secrecy/safe-cause.ts';

/** A step of the path of a {@link StandardIssue}. */
export interface StandardPathSegment {
  /** The name of a field, or index in a list. */
  readonly key: PropertyKey;
}

/** A problem that a {@link StandardSchema} found in a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is; absent for the value itself. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** The result of checking a value with a {@link StandardSchema}. */
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
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** Maximum number of issues to report. */
const MAX_ISSUES = 100;

/** Maximum number of characters to keep of each text. */
const MAX_TEXT = 1_000;

/** Copies an issue without secrets: the service chooses the names of fields, and some libraries quote the value. */
const readIssue = ({ message, path = [] }: StandardIssue, redact: Redact): Issue => {
  const keys = path.map((part) => (isObject(part) ? part.key : part));
  const safe = (text: string) => oneLine(redact(text, MAX_TEXT));
  return { path: safe(pathName(keys, 'data')), message: safe(message) };
};

const isIssue = (issue: unknown): boolean => typeof Object(issue).message === 'string';

/**
 * Checks the data of a response with the caller's schema, which may also convert it.
 *
 * @throws An {@link InvalidResponseError} when the data does not match, or the schema throws an error.
 * @throws A {@link ConfigurationError} when the schema returns something other than a result of a Standard Schema.
 *
 * @internal
 */
export const checkData = async (
  data: unknown,
  schema: StandardSchema,
  response: ApiResponse,
): Promise<unknown> => {
  const { status, redact, running } = response;
  const { operation, label } = running.request;
  const warning = describeUnknownOutcome(running);
  let issues: readonly Issue[] | undefined;
  try {
    const result = Object(await schema['~standard'].validate(data));
    if (result.issues === undefined && 'value' in result) {
      return result.value;
    }
    if (Array.isArray(result.issues) && result.issues.every(isIssue)) {
      issues = result.issues.slice(0, MAX_ISSUES).map((issue: StandardIssue) => readIssue(issue, redact));
    }
  } catch (error) {
    rethrowForFramework(error);
    const cause = safeCause(error, redact);
    throw new InvalidResponseError(
      `The \`schema\` of ${label} threw an error${cause === undefined ? '' : `: ${cause.message}`}.${warning}`,
      { operation, status, cause },
    );
  }
  if (issues === undefined) {
    throw new ConfigurationError(
      `The \`schema\` of ${label} is not a Standard Schema: its \`validate\` must return { value } or { issues: [{ message, path }] }.${warning}`,
    );
  }
  throw new InvalidResponseError(
    data === undefined
      ? `The response of ${label} has no data (${status}), which its schema does not accept.${warning}`
      : `The response of ${label} does not match its schema.${warning}`,
    { operation, status, issues, body: redactBody(response) },
  );
};
