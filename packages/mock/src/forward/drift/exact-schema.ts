import * as z from 'zod/mini';
import { closing } from '../../request/strict.ts';

const EnumDocument = z.object({ anyOf: z.tuple([z.object({ enum: z.array(z.string()) })], z.unknown()) });

/** The schema of an open enum that accepts only the values of the contract; any other schema as it is. */
const withoutNewValues = (schema: z.core.$ZodType): z.core.$ZodType => {
  const document = EnumDocument.safeParse(z.toJSONSchema(schema));
  return document.success ? z.enum(document.data.anyOf[0].enum) : schema;
};

/** A copy of a schema that accepts exactly what the contract lists: no further field, and no further value of an enum. */
export const exactSchema = closing(withoutNewValues);
