import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';

const known = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * A schema that refuses the fields it does not have, down to its leaves. The contract's own take them, so that clients
 * outlive a field that the service adds; from the mock, they are a leak.
 */
const closed = (schema: z.core.$ZodType): z.core.$ZodType => {
  const made = known.get(schema) ?? close(schema);
  known.set(schema, made);
  return made;
};

const close = (schema: z.core.$ZodType): z.core.$ZodType => {
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
  return schema;
};

/**
 * How an answer breaks the contract, if it does.
 *
 * @param name What it is called: `The answer of leads.list`.
 * @param body As it is sent: what JSON can't say is gone from it.
 */
export const breachOf = (name: string, schema: z.core.$ZodType, body: string): TypeError | undefined => {
  const value: unknown = JSON.parse(body);
  const result = z.safeParse(closed(schema), value);
  if (result.success) {
    return undefined;
  }
  const issues = describeIssues(result.error, value, 'body').map(({ path, message }) => `${path} ${message}`);
  return new TypeError(`${name} breaks the contract: ${issues.join('; ')}`);
};
