/** What is sent back for a delivery. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response whose body says no more than a code: a forger learns nothing, and `onError` is told the rest. */
export const webhookResponse = (
  status: number,
  body: { ok: true } | { error: string },
  headers: Record<string, string> = {},
): WebhookResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
