import { namesOf } from '@confab/internal';
import type { SignatureOptions } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { checkNames } from '../../checks/check-names.ts';
import { isWait, WAIT_WANTED } from '../clock/calendar.ts';
import type { CompleteEndpoint, Endpoint } from './endpoint.ts';

const FIELDS = namesOf<Endpoint>({
  url: true,
  secret: true,
  signature: true,
  retries: true,
  timeout: true,
  concurrency: true,
  fetch: true,
});

const SIGNATURE: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };
const RETRIES = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT = 10_000;
const CONCURRENCY = 10;

/** Taken before anything patches the global one: a delivery is not a request to intercept. */
const platformFetch = globalThis.fetch;

const checkUrl = (url: string): void => {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`The url of an endpoint is http or https, not ${JSON.stringify(url)}`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError('The url of an endpoint holds no user name and no password: fetch refuses those');
  }
};

const checkWaits = (retries: readonly number[], timeout: number): void => {
  const wrong = retries.find((ms) => !isWait(ms));
  if (wrong !== undefined) {
    throw new RangeError(`The retries of an endpoint are ${WAIT_WANTED}, not ${wrong}`);
  }
  if (!(timeout > 0)) {
    throw new RangeError(`The timeout of an endpoint is milliseconds above 0, not ${timeout}`);
  }
};

/**
 * Fills in what an endpoint leaves out.
 *
 * @throws {TypeError | RangeError} For an unknown field, a URL that can't be posted to, a secret or signature that can't be signed with,
 * or waits that can't be waited.
 */
export const toEndpoint = (endpoint: Endpoint): CompleteEndpoint => {
  checkNames('endpoint field', endpoint, FIELDS);
  const {
    url,
    secret,
    signature = SIGNATURE,
    retries = RETRIES,
    timeout = TIMEOUT,
    concurrency = CONCURRENCY,
    fetch = platformFetch,
  } = endpoint;
  checkUrl(url);
  checkWaits(retries, timeout);
  if (!(Number.isInteger(concurrency) && concurrency >= 1)) {
    throw new RangeError(
      `The \`concurrency\` of an endpoint must be a whole number from 1 up, got ${concurrency}`,
    );
  }
  if (Array.isArray(secret)) {
    throw new TypeError(
      'The secret of an endpoint is one: a sender signs with a single one, receivers may know several',
    );
  }
  // A receiver with these options refuses at once what would otherwise fail at the first delivery.
  createWebhooks({ secret, signature });
  return { url, secret, signature, retries: [...retries], timeout, concurrency, fetch };
};
