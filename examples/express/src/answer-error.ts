import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';
import type { ErrorRequestHandler } from 'express';

/** Tells visitors what they can do about an error. All others are left to Express: they are ours, and a 500. */
export const answerError: ErrorRequestHandler = (error, _request, response, next) => {
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
