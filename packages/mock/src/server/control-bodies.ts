import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';
import { readJson } from '../request/input.ts';
import { invalid } from '../request/refusal.ts';
import { NETWORK_FAULTS } from '../world/fault.ts';

const FaultSchema = z.strictObject({
  status: z.optional(z.int()),
  code: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  delayMs: z.optional(z.number()),
  network: z.optional(z.enum(NETWORK_FAULTS)),
  body: z.optional(z.unknown()),
  probability: z.optional(z.number()),
});

/** `POST /__mock/clock`: milliseconds to move forward by, or the date to move to. */
export const ClockBody = z.union([
  z.strictObject({ advance: z.number() }),
  z.strictObject({ set: z.string() }),
]);

/** `POST /__mock/faults`: a fault to plan, or the end of all. */
export const FaultsBody = z.union([
  z.strictObject({ clear: z.literal(true) }),
  z.strictObject({ operation: z.string(), fault: FaultSchema, once: z.optional(z.boolean()) }),
]);

/** `POST /__mock/inbound`: what a lead writes, and where. */
export const InboundBody = z.strictObject({
  phone: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  channel: z.optional(z.string()),
  body: z.string(),
});

/**
 * Reads the body of a control request.
 *
 * @throws {Refusal} 400, with everything that is wrong with it.
 */
export const readControlBody = <Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
): z.output<Schema> => {
  const { isJson, value } = readJson(text);
  if (!isJson) throw invalid('body must be JSON');
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    describeIssues(result.error, value, 'body')
      .map(({ path, message }) => `${path} ${message}`)
      .join('; '),
  );
};
