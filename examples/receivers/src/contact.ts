import type { Confab } from '@confab/client';
import { BadRequestError, createClient, InvalidRequestError, RateLimitError } from '@confab/client';

/**
 * Creates the client for the form, configured by `CONFAB_BASE_URL` and `CONFAB_API_KEY`. Visitors wait for its calls, so it
 * is better to tell them at once to try again later than to respond in a minute.
 */
export const createConfab = (options: { baseUrl?: string; apiKey?: string } = {}): Confab =>
  createClient({
    ...options,
    retry: { maxRetryAfter: 2_000 },
    // With client-side limiting, visitors would wait in a queue until their total timeout.
    rateLimit: false,
    totalTimeout: 10_000,
  });

/** The response to a form. */
export interface FormResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: object;
}

/**
 * Creates a lead from a contact form. Submitting the form twice creates one lead.
 *
 * @throws Errors that do not concern the visitor. The framework responds with a 500.
 */
export const receiveForm = async (confab: Confab, form: unknown): Promise<FormResponse> => {
  // Fields are picked one by one, or visitors could choose a pipeline. The client validates them before it sends them.
  const { phone, displayName, email } = Object(form);
  try {
    await confab.leads.ensure({ phone, displayName, email, source: 'website' });
    // The response does not reveal whether the phone number was known.
    return { status: 202, headers: {}, body: { received: true } };
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return { status: 400, headers: {}, body: { error: 'invalid', issues: error.issues } };
    }
    if (error instanceof BadRequestError) {
      return { status: 400, headers: {}, body: { error: 'refused', issues: [] } };
    }
    if (error instanceof RateLimitError) {
      const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
      return { status: 503, headers: { 'retry-after': String(seconds) }, body: { error: 'busy' } };
    }
    throw error;
  }
};
