import * as z from 'zod/mini';
import type { OperationId } from '../contract/index.ts';
import { documentedFields } from './documented.ts';
import { kebab } from './kebab.ts';
import type { Shape } from './shapes/shape.ts';

/** A flag that sets one field of a query or a body. */
export interface FieldFlag {
  /** Its name, without dashes: `display-name`. */
  readonly flag: string;
  /** The field: `displayName`. */
  readonly field: string;
  readonly place: 'query' | 'body';
  readonly shape: Shape;
  readonly required: boolean;
  readonly description: string;
  /** The values that the contract knows. Others pass too, unless the shape has an enum. */
  readonly values: readonly string[];
  /** What the service uses when the flag is left out. */
  readonly fallback: unknown;
  /** A value to show in examples. */
  readonly example: unknown;
}

interface Property {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Property[];
}

/** A nested object has no flag of its own. It goes into `--data`. */
const hasFlag = ({ type, items }: Shape): boolean =>
  type === 'array' ? items !== undefined && items.type !== 'array' && hasFlag(items) : type !== 'object';

/** Derives the flags of a query or a body from its schema and its shape. */
export const fieldFlags = (
  id: OperationId,
  place: FieldFlag['place'],
  schema: z.ZodMiniType | undefined,
  shape: Shape | undefined,
): FieldFlag[] => {
  if (schema === undefined || shape === undefined) {
    return [];
  }
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties as Readonly<Record<string, Property>>;
  const fields = documentedFields(id, place);
  return Object.entries(shape.properties ?? {})
    .filter(([, field]) => hasFlag(field))
    .map(([field, fieldShape]) => {
      const { anyOf, enum: known = anyOf?.[0]?.enum, default: fallback } = properties[field] ?? {};
      return {
        flag: kebab(field),
        field,
        place,
        shape: fieldShape,
        required: !shape.optional?.includes(field),
        description: fields[field]?.description ?? '',
        values: fieldShape.enum ?? known ?? [],
        fallback,
        example: fields[field]?.example,
      };
    });
};
