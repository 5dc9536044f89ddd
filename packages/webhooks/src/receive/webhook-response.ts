/** The response to a delivery. */
export interface WebhookResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, a JSON text. */
  readonly body: string;
}

/** Builds a response. Its body contains only a code, so an attacker learns nothing; `onError` receives the details. */
export const webhookResponse = (
  status: number,
  body: { ok: true } | { error: string },
  headers: Record<string, string> = {},
): WebhookResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
