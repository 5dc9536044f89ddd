import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';
import { MockError } from '../errors/mock-error.ts';
import { closing } from './closing.ts';

const closed = closing();

/**
 * Says how a response breaks the contract, if it does.
 *
 * @param name What messages call it: `The response of leads.list`.
 * @param body The body as it is sent, so that it no longer holds anything that JSON can't express.
 */
export const breachOf = (name: string, schema: z.core.$ZodType, body: string): MockError | undefined => {
  const value: unknown = JSON.parse(body);
  const result = z.safeParse(closed(schema), value);
  if (result.success) {
    return undefined;
  }
  const issues = describeIssues(result.error, value, 'body').map(({ path, message }) => `${path} ${message}`);
  return new MockError('CONTRACT_BROKEN', `${name} breaks the contract: ${issues.join('; ')}`);
};
