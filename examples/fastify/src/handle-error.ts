import { BadRequestError, InvalidRequestError, RateLimitError } from '@confab/client';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Maps errors that visitors can act on to responses. Fastify's own handler gets all others. */
export const handleError = (error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (error instanceof InvalidRequestError) {
    return reply.code(400).send({ error: 'invalid', issues: error.issues });
  }
  if (error instanceof BadRequestError) {
    return reply.code(400).send({ error: 'refused', issues: [] });
  }
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return reply.code(503).header('retry-after', seconds).send({ error: 'busy' });
  }
  throw error;
};
