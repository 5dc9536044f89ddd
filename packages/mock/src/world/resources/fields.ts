import { DateTimeSchema, IdSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import { CALENDAR_RULE, EARLIEST, LATEST } from '../clock/clock.ts';

// Schemas of stored fields. Unlike those of the contract, they convert ids and date-times to one format.

export const StoredIdSchema = IdSchema.check(z.toLowerCase());
// `check()` copies a schema without its JSON Schema, which says `format: uuid`.
StoredIdSchema._zod.processJSONSchema = IdSchema._zod.processJSONSchema;

/** In UTC with milliseconds, so that date-times sort as strings. */
export const StoredDateTimeSchema = z.pipe(
  DateTimeSchema,
  z.transform((value: string, { issues }) => {
    const at = Date.parse(value);
    if (at < EARLIEST || at > LATEST) {
      issues.push({ code: 'custom', message: CALENDAR_RULE, input: value });
      return z.NEVER;
    }
    return new Date(at).toISOString();
  }),
);
