import type { RateLimit } from './client-options.ts';

/** Writes a rate limit as people would say it: `20 per minute`, `20 per 5.2 s`. */
export const limitInWords = ({ requests, perMs }: RateLimit): string =>
  `${requests} per ${perMs === 60_000 ? 'minute' : perMs === 1_000 ? 'second' : `${Number((perMs / 1_000).toPrecision(3))} s`}`;
