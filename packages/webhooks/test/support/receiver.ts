import type { SignOptions, WebhookError, Webhooks, WebhooksOptions } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks } from '@confab/webhooks';

export const secret = 'a secret of the test';
export const signature = { header: 'x-sig' };
/** Options of a scheme that signs the id of a delivery. */
export const standard = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: standardWebhooks(),
};
export const data = { conversationId: 'c1', channel: 'web', body: 'Hello' };
export const message = { event: 'message.created', data };

/** The differences from a request that the receiver of these tests accepts. */
type Sending = Partial<SignOptions> & { readonly headers?: Readonly<Record<string, string>> };

/** Signs a payload, or a text as it is, and builds the request that delivers it. */
export const requestWith = async (payload: unknown = message, { headers, ...options }: Sending = {}) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const signed = await sign(body, { secret, signature, ...options });
  return new Request('https://r.test/', { method: 'POST', body, headers: { ...headers, ...signed } });
};

/** Creates a receiver, and lists the events that its handlers get and the errors that are reported. */
export const createReceiver = (options: Partial<WebhooksOptions> = {}, create = createWebhooks) => {
  const webhooks: Webhooks = create({ secret, signature, ...options });
  const handled: unknown[] = [];
  const errors: WebhookError[] = [];
  webhooks.onError((error) => errors.push(error));
  if (options.enqueue === undefined) {
    webhooks.onAny((event) => handled.push(event));
  }
  /** Resolves to the status of the response. */
  const deliver = async (payload?: unknown, sending?: Sending) =>
    (await webhooks.fetch(await requestWith(payload, sending))).status;
  return { webhooks, handled, errors, deliver };
};

/** The code of the error, or `accepted`. */
export const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );
