const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FIELDS = ['conversationId', 'channel', 'body'];

/** Reads parsed JSON as an event. Returns undefined for one that must be refused. */
export const referencePayload = (payload: unknown): object | undefined => {
  if (!isObject(payload) || typeof payload.event !== 'string' || !isObject(payload.data)) {
    return undefined;
  }
  const { event, data } = payload;
  if (event !== 'message.created') {
    return { event, data, known: false };
  }
  return FIELDS.every((field) => typeof data[field] === 'string') ? { event, data, known: true } : undefined;
};

/** Reads the body of a genuine delivery: the event, or the code of the error that it must be refused with. */
export const referenceEvent = (body: Uint8Array, most: number): object | string => {
  if (body.length > most) {
    return 'BODY_TOO_LARGE';
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return 'INVALID_ENCODING';
  }
  try {
    const payload: unknown = JSON.parse(text);
    // Standard Webhooks call the name `type`.
    const named = isObject(payload) && !('event' in payload) ? { ...payload, event: payload.type } : payload;
    return referencePayload(named) ?? 'INVALID_EVENT';
  } catch {
    return 'INVALID_JSON';
  }
};
