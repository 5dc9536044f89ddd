/** What is sent back for a delivery. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer whose body says no more than a code: a forger learns nothing, and `onError` is told the rest. */
export const answer = (
  status: number,
  body: { ok: true } | { error: string },
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
