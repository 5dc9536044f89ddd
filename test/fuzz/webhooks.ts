import { createHmac } from 'node:crypto';
import { isObject, parsed } from './kit.ts';

/** The secret of targets that are not about secrets. */
export const SECRET = 'a secret of the fuzzing targets';

/** The genuine signature of a body in hex. */
export const hexSignature = (body: Uint8Array): string =>
  createHmac('sha256', SECRET).update(body).digest('hex');

export const MESSAGE = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};
export const UNKNOWN = { event: 'lead.moved', data: { to: 'wön', list: [1, null, '\\ud800'] } };

/** Reads parsed JSON as an event. Undefined for one that must be refused. */
export const referencePayload = (payload: unknown): object | undefined => {
  const { event, data } = isObject(payload) ? payload : {};
  if (typeof event !== 'string' || !isObject(data)) {
    return undefined;
  }
  const known = event === 'message.created';
  const isValid = ['conversationId', 'channel', 'body'].every((field) => typeof data[field] === 'string');
  return !known || isValid ? { event, data, known } : undefined;
};

/** Reads the body of a genuine delivery: the event, or the code of the error that it must be refused with. */
export const referenceEvent = (body: Uint8Array, maxBytes: number): object | string => {
  if (body.length > maxBytes) {
    return 'BODY_TOO_LARGE';
  }
  try {
    const json = parsed(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return json === undefined ? 'INVALID_JSON' : (referencePayload(json) ?? 'INVALID_EVENT');
  } catch {
    return 'INVALID_ENCODING';
  }
};
