import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** Maps errors that callers can act on to responses. All others become a 500 without details. */
export const handleError = (error: Error, context: Context): Response => {
  if (error instanceof HTTPException) {
    return error.getResponse();
  }
  if (error instanceof InvalidRequestError) {
    return context.json({ error: 'invalid', issues: error.issues }, 400);
  }
  if (error instanceof BadRequestError) {
    return context.json({ error: 'refused', issues: [] }, 400);
  }
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return context.json({ error: 'busy' }, 503, { 'retry-after': String(seconds) });
  }
  console.error(error);
  return context.json({ error: 'internal' }, 500);
};
