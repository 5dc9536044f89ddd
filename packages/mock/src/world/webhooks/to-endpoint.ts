import { namesOf } from '@confab/internal';
import type { Signature } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { checkNames } from '../../checks/check-names.ts';
import { checkWait, checkWhole } from '../../checks/check-number.ts';
import { shown } from '../../checks/shown.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import { checkHeaders, checkIdHeader } from './check-headers.ts';
import type { CompleteEndpoint, Endpoint } from './endpoint.ts';

const FIELDS = namesOf<Endpoint>({
  url: true,
  secret: true,
  signature: true,
  headers: true,
  idHeader: true,
  retries: true,
  timeout: true,
  concurrency: true,
  fetch: true,
});

const SIGNATURE: Signature = { header: 'x-webhook-signature', encoding: 'hex' };
const RETRIES = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT = 10_000;
const CONCURRENCY = 10;

/** Taken before anything patches the global one: a delivery is not a request to intercept. */
const platformFetch = globalThis.fetch;

const checkUrl = (url: string): void => {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw invalidArgument(
      `The \`url\` of an endpoint must be an http or https URL, got ${JSON.stringify(url)}`,
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalidArgument(
      'The `url` of an endpoint must not contain a user name or password, because fetch refuses them',
    );
  }
};

const checkWaits = (retries: readonly number[], timeout: number): void => {
  for (const ms of retries) {
    checkWait('Each of the `retries` of an endpoint', ms);
  }
  if (!(typeof timeout === 'number' && timeout > 0)) {
    throw invalidArgument(
      `The \`timeout\` of an endpoint must be milliseconds (more than 0), got ${shown(timeout)}`,
    );
  }
};

/**
 * Checks an endpoint and fills in its defaults.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
export const toEndpoint = (endpoint: Endpoint): CompleteEndpoint => {
  checkNames('endpoint field', endpoint, FIELDS);
  const {
    url,
    secret,
    signature = SIGNATURE,
    headers = {},
    idHeader,
    retries = RETRIES,
    timeout = TIMEOUT,
    concurrency = CONCURRENCY,
    fetch = platformFetch,
  } = endpoint;
  checkUrl(url);
  const checkedHeaders = checkHeaders(headers);
  if (idHeader !== undefined) {
    checkIdHeader(idHeader);
  }
  checkWaits(retries, timeout);
  checkWhole('The `concurrency` of an endpoint', concurrency, 1);
  if (Array.isArray(secret)) {
    throw invalidArgument(
      'The `secret` of an endpoint must be a single secret: only receivers may have several',
    );
  }
  try {
    // A receiver with these options refuses at once what would otherwise fail at the first delivery.
    createWebhooks({ secret, signature });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`The endpoint is invalid: ${reason}`);
  }
  return {
    ...{ url, secret, signature, headers: checkedHeaders, idHeader },
    ...{ retries: [...retries], timeout, concurrency, fetch },
  };
};
