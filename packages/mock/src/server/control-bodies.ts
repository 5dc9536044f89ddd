import { describeIssues } from '@confab/client/contract';
import { closestName } from '@confab/internal';
import * as z from 'zod/mini';
import { readJson } from '../http/read-json.ts';
import { invalid } from '../http/refusal.ts';
import { NETWORK_FAULTS } from '../world/faults/fault.ts';

const AdvanceSchema = z.strictObject({ advance: z.number() });

const SetSchema = z.strictObject({ set: z.string() });

const FaultSchema = z.strictObject({
  status: z.optional(z.int()),
  code: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  delayMs: z.optional(z.number()),
  network: z.optional(z.enum(NETWORK_FAULTS)),
  body: z.optional(z.unknown()),
  probability: z.optional(z.number()),
});

const PlanSchema = z.strictObject({
  operation: z.string(),
  fault: FaultSchema,
  once: z.optional(z.boolean()),
});

const ClearSchema = z.strictObject({ clear: z.literal(true) });

const InboundSchema = z.strictObject({
  phone: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  channel: z.optional(z.string()),
  body: z.string(),
});

const parse = (text: string): unknown => {
  const { value, problem } = readJson(text);
  if (problem !== undefined) {
    throw invalid(`body ${problem}`);
  }
  return value;
};

/** Suggests a name for the first unknown field, in a sentence of its own. */
const didYouMean = (schema: z.ZodMiniObject, { issues }: z.core.$ZodError): string => {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys');
  if (issue?.code !== 'unrecognized_keys') {
    return '';
  }
  const { shape } = issue.path[0] === 'fault' ? FaultSchema : schema;
  const meant = closestName(issue.keys[0] ?? '', Object.keys(shape));
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
};

const check = <Schema extends z.ZodMiniObject>(schema: Schema, value: unknown): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const problems = describeIssues(result.error, value, 'body').map(
    ({ path, message }) => `${path} ${message}`,
  );
  throw invalid(problems.join('; ') + didYouMean(schema, result.error));
};

/** Selects one of two schemas: a union could only report that neither matches. */
const has = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

/**
 * Reads the body of `POST /__mock/clock`: milliseconds to advance by, or a date to move to.
 *
 * @throws {@link Refusal} 400, when the body is invalid.
 */
export const readClockBody = (text: string): z.output<typeof AdvanceSchema> | z.output<typeof SetSchema> => {
  const value = parse(text);
  if (has(value, 'set') && has(value, 'advance')) {
    throw invalid('body must have either `advance` (milliseconds) or `set` (a date), got both');
  }
  if (has(value, 'set')) {
    return check(SetSchema, value);
  }
  if (has(value, 'advance')) {
    return check(AdvanceSchema, value);
  }
  throw invalid('body must have either `advance` (milliseconds) or `set` (a date), got neither');
};

/**
 * Reads the body of `POST /__mock/faults`: a fault to plan, or `clear`.
 *
 * @throws {@link Refusal} 400, when the body is invalid.
 */
export const readFaultsBody = (text: string): z.output<typeof ClearSchema> | z.output<typeof PlanSchema> => {
  const value = parse(text);
  return has(value, 'clear') ? check(ClearSchema, value) : check(PlanSchema, value);
};

/**
 * Reads the body of `POST /__mock/inbound`: the message of a lead.
 *
 * @throws {@link Refusal} 400, when the body is invalid.
 */
export const readInboundBody = (text: string): z.output<typeof InboundSchema> =>
  check(InboundSchema, parse(text));
