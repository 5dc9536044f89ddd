import { CONNECTION_HEADERS, checkThat, isObject } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { AttemptEvent } from '../hooks/events.ts';
import { askUser } from '../secrecy/key.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { Clock } from '../time/clock.ts';
import type { AppInfo, AttemptHeaders, HeaderValues } from './client-options.ts';
import { throwProblem } from './option-checks.ts';

/**
 * Checks the `headers` option and returns it with names in lower case and without headers that are undefined.
 *
 * @param reserved The header that carries the API key.
 * @throws A {@link ConfigurationError} when a name or value is invalid, or the reserved header is set.
 */
export const checkHeaders = (
  headers: HeaderValues,
  reserved: string,
  redact: Redact,
): Readonly<Record<string, string>> => {
  // `Headers` would accept undefined, the result of a function that lacks its `return`.
  throwProblem(checkThat(isObject, 'an object of names and values')('headers', headers), redact);
  let checked: Headers;
  try {
    checked = new Headers(headers as Record<string, string>);
  } catch {
    // The runtime's own message is dropped because it quotes the value.
    throw new ConfigurationError('`headers` contains an invalid HTTP header name or value.');
  }
  for (const [name, value] of Object.entries(headers)) {
    // `Headers` has turned null and undefined into text.
    throwProblem(checkThat((text) => text !== null, 'a string')(`headers.${name}`, value), redact);
    if (value === undefined) {
      checked.delete(name);
    }
  }
  for (const name of CONNECTION_HEADERS) {
    if (checked.has(name)) {
      throw new ConfigurationError(`\`headers\` must not contain ${name}, because the runtime sets it.`);
    }
  }
  if (checked.has(reserved)) {
    throw new ConfigurationError(`\`headers\` must not contain ${reserved}. Pass the key as \`apiKey\`.`);
  }
  return Object.fromEntries(checked);
};

/** Returns the headers of one attempt that the user's function provides. */
export type AskHeaders = (
  event: AttemptEvent,
  redact: Redact,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>;

/**
 * Creates a function that calls the user's `headers` function and checks what it returns.
 *
 * @param reserved The header that carries the API key.
 * @throws A {@link ConfigurationError} when the function fails or returns invalid headers.
 * @throws The signal's reason once it is aborted.
 */
export const createAskHeaders =
  (provide: AttemptHeaders, reserved: string, clock: Clock): AskHeaders =>
  async (event, redact, signal) =>
    checkHeaders(await askUser('headers', () => provide(event), redact, clock, signal), reserved, redact);

/** Set by the build. */
declare const CONFAB_CLIENT_VERSION: string | undefined;

const version = typeof CONFAB_CLIENT_VERSION === 'string' ? CONFAB_CLIENT_VERSION : 'source';

/** Returns the header that names the package and the application. In a browser, it would cause a preflight. */
export const userAgent = (app: AppInfo | undefined): Readonly<Record<string, string>> =>
  /^(?:Node\.js|Bun|Deno)\b/.test(globalThis.navigator?.userAgent)
    ? { 'user-agent': `confab-client/${version}${app === undefined ? '' : ` ${app.name}/${app.version}`}` }
    : {};
