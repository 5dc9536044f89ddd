import { describeIssues } from '@confab/client/contract';
import type * as z from 'zod/mini';

/**
 * Describes what is wrong with a value that came as JSON, in one line.
 *
 * @param name What messages call the value: `body`.
 */
export const jsonProblems = (error: z.core.$ZodError, value: unknown, name: string): string =>
  describeIssues(error, value, name)
    // JSON has no undefined: the field is missing.
    .map(({ path, message }) => `${path} ${message.endsWith(', got undefined') ? 'is required' : message}`)
    .join('; ');
