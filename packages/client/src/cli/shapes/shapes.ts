import * as z from 'zod/mini';
import type { OperationId } from '../../contract/index.ts';
import { operations } from '../../contract/index.ts';
import type { OperationShapes, Shape } from './shape.ts';

/** What `z.toJSONSchema` makes of the contract's schemas. */
interface JsonSchema
  extends Omit<Shape, 'type' | 'nullable' | 'optional' | 'closed' | 'items' | 'properties'> {
  readonly type?: Shape['type'] | readonly [Shape['type'], 'null'];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | object;
}

/** Keywords that are copied as they are. */
const KEYWORDS = ['format', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength'] as const;

const toShape = (json: JsonSchema): Shape => {
  // The last option of an open enum accepts every string.
  const [first, last] = json.anyOf ?? [];
  if (first !== undefined && last !== undefined) {
    return (last as { type: string }).type === 'null' ? { ...toShape(first), nullable: true } : toShape(last);
  }
  const { items, properties, required = [], additionalProperties } = json;
  const names = Object.keys(properties ?? {});
  const optional = names.filter((name) => !required.includes(name));
  const [type, orNull] = typeof json.type === 'object' ? json.type : [json.type];
  if (type === undefined) {
    throw new Error(`A shape cannot express ${JSON.stringify(json)}`);
  }
  return {
    type,
    ...(orNull && { nullable: true as const }),
    ...Object.fromEntries(KEYWORDS.filter((name) => name in json).map((name) => [name, json[name]])),
    ...(items && { items: toShape(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, toShape(inner)]),
      ),
    }),
    ...(optional.length > 0 && { optional }),
    ...(additionalProperties === false && { closed: true }),
  };
};

const shapeOf = (schema: z.core.$ZodType): Shape =>
  toShape(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);

/** The shapes of what each operation sends and receives. */
export const shapes: Record<OperationId, OperationShapes> = Object.fromEntries(
  Object.values(operations).map((operation) => [
    operation.id,
    Object.fromEntries(
      (['params', 'query', 'body', 'response'] as const)
        .filter((part) => part in operation)
        .map((part) => [part, shapeOf((operation as Record<string, unknown>)[part] as z.core.$ZodType)]),
    ),
  ]),
) as unknown as Record<OperationId, OperationShapes>;
