import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';
import { MockError } from '../errors/mock-error.ts';

type Schema = z.core.$ZodType;

/**
 * Returns a function that copies a schema, so that the copy refuses unknown fields at every level. The contract's own
 * schemas accept them, because clients must survive a new field of the service.
 *
 * @param leaf Converts the schema of a single value.
 */
export const createStrictCopier = (
  leaf: (schema: Schema) => Schema = (schema) => schema,
): ((schema: Schema) => Schema) => {
  const copies = new WeakMap<Schema, Schema>();

  const close = (schema: Schema): Schema => {
    if (schema instanceof z.ZodMiniObject) {
      return z.strictObject(
        Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, closed(field)])),
      );
    }
    if (schema instanceof z.ZodMiniArray) {
      return z.array(closed(schema.def.element));
    }
    if (schema instanceof z.ZodMiniNullable) {
      return z.nullable(closed(schema.def.innerType));
    }
    if (schema instanceof z.ZodMiniOptional) {
      return z.optional(closed(schema.def.innerType));
    }
    return leaf(schema);
  };
  const closed = (schema: Schema): Schema => {
    const made = copies.get(schema) ?? close(schema);
    copies.set(schema, made);
    return made;
  };
  return closed;
};

const closed = createStrictCopier();

/**
 * Checks a response against the contract.
 *
 * @param name The name of the response in messages: `The response of leads.list`.
 * @param body The body as it is sent, after JSON.stringify has changed or dropped values.
 * @throws A {@link MockError} `CONTRACT_BROKEN`, when the response does not match.
 */
export const checkContract = (name: string, schema: z.core.$ZodType, body: string): void => {
  const value: unknown = JSON.parse(body);
  const result = z.safeParse(closed(schema), value);
  if (!result.success) {
    const issues = describeIssues(result.error, value, 'body').map(
      ({ path, message }) => `${path} ${message}`,
    );
    throw new MockError('CONTRACT_BROKEN', `${name} breaks the contract: ${issues.join('; ')}.`);
  }
};
