import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';
import type { ErrorRequestHandler } from 'express';

/** Maps errors that visitors can act on to responses. Express responds to all others with a 500. */
export const handleError: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof InvalidRequestError) {
    response.status(400).json({ error: 'invalid', issues: error.issues });
  } else if (error instanceof BadRequestError) {
    response.status(400).json({ error: 'refused', issues: [] });
  } else if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    response.status(503).set('retry-after', String(seconds)).json({ error: 'busy' });
  } else {
    next(error);
  }
};
