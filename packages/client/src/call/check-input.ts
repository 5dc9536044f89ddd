import { oneLine } from '@confab/internal';
import { describeIssues, preview, unknownFields } from '../contract/issues.ts';
import type { Operation } from '../contract/operations.ts';
import { operations } from '../contract/operations.ts';
import type { Issue, OperationName } from '../contract/types.ts';
import { CALL_OPTIONS } from '../options/option-checks.ts';
import type { Redact } from '../secrecy/redact.ts';
import { visible } from '../secrecy/visible.ts';

/** Characters of a name to redact; messages show fewer. */
const MAX_NAME_LENGTH = 100;

/** The arguments of a call, before or after they are checked. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

const OPTION_NAMES = [...Object.keys(CALL_OPTIONS), 'prefetch'];

/** A custom request has no schemas. */
const schemasOf = (id: OperationName): Partial<Operation> => (id === 'request' ? {} : operations[id]);

/** The fields that the contract has in a query or a body. */
export const fieldNames = (id: OperationName, part: 'query' | 'body'): readonly string[] =>
  Object.keys(schemasOf(id)[part]?.shape ?? {});

/** Finds every problem of an input, not only the first. */
export const checkInput = (id: OperationName, input: CallInput, redact: Redact): Issue[] => {
  const schemas = schemasOf(id);
  // A caller who mixes up arguments may have passed the API key.
  const show = (received: unknown) => preview(typeof received === 'string' ? redact(received) : received);
  const clean = (name: string) => visible(oneLine(redact(name, MAX_NAME_LENGTH)));

  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = schemas[part];
    const value = part === 'body' ? input.body : (input[part] ?? {});
    const error = schema?.safeParse(value).error;
    return schema && error
      ? describeIssues(error, value, part === 'params' ? '' : part, show, (names) =>
          unknownFields(names, Object.keys(schema.shape), clean, OPTION_NAMES),
        )
      : [];
  });
};
