import { createHmac } from 'node:crypto';

/** The secret of targets that are not about secrets. */
export const KEY = 'a secret of the fuzzing targets';

/** The genuine signature of a body in hex. */
export const hexSignature = (body: Uint8Array): string =>
  createHmac('sha256', KEY).update(body).digest('hex');
