import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';

/** Maps errors that visitors can act on to responses. All others are thrown, and Next responds with a 500. */
export const errorResponse = (error: unknown): Response => {
  if (error instanceof InvalidRequestError) {
    return Response.json({ error: 'invalid', issues: error.issues }, { status: 400 });
  }
  if (error instanceof BadRequestError) {
    return Response.json({ error: 'refused', issues: [] }, { status: 400 });
  }
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return Response.json({ error: 'busy' }, { status: 503, headers: { 'retry-after': String(seconds) } });
  }
  throw error;
};
