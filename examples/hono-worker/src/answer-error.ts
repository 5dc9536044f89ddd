import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** Tells callers what they can do about an error. All others are ours, and a 500 that says nothing. */
export const answerError = (error: Error, context: Context): Response => {
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
