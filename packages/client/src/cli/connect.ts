import { packageVersion, UsageError } from '@confab/internal/cli';
import type { ClientOptions, Confab } from '../index.ts';
import { createClient } from '../index.ts';
import type { Io } from './io.ts';
import { loadMock } from './load-mock.ts';

/** The flags of every command. */
export interface GlobalFlags {
  readonly json?: true;
  readonly dryRun?: true;
  readonly mock?: true;
  readonly baseUrl?: string;
  readonly auth?: NonNullable<ClientOptions['auth']>;
  readonly apiKey?: string;
}

const readBaseUrl = ({ baseUrl }: GlobalFlags, { env }: Io): string | undefined =>
  (baseUrl ?? env.CONFAB_BASE_URL) || undefined;

const readKey = async ({ apiKey }: GlobalFlags, { env, err, askSecret }: Io): Promise<string> => {
  if (apiKey) {
    await err.write(
      'confab: Other processes can see the key of --api-key, and your shell may save it. Set CONFAB_API_KEY instead.\n',
    );
    return apiKey;
  }
  const key = (env.CONFAB_API_KEY || (await askSecret?.('API key: ')))?.trim();
  if (!key) {
    throw new UsageError(
      'No API key. Set CONFAB_API_KEY. To try the command without an account, add --mock.',
    );
  }
  return key;
};

const readServiceOptions = async (flags: GlobalFlags, io: Io): Promise<ClientOptions> => {
  const baseUrl = readBaseUrl(flags, io);
  if (baseUrl === undefined) {
    throw new UsageError(
      'No base URL. Pass --base-url, or set CONFAB_BASE_URL. To try the command without an account, add --mock.',
    );
  }
  return { baseUrl, apiKey: await readKey(flags, io) };
};

/**
 * Creates the client that flags and environment describe.
 *
 * @throws A {@link UsageError} when something is missing.
 * @throws A {@link ConfigurationError} when something is invalid.
 */
export const connect = async (flags: GlobalFlags, io: Io): Promise<Confab> =>
  createClient({
    ...(flags.mock ? await loadMock() : await readServiceOptions(flags, io)),
    ...(flags.auth && { auth: flags.auth }),
    hooks: {
      onPause: async ({ durationMs }) => {
        if (io.err.isTerminal) {
          const seconds = Math.ceil(durationMs / 1_000);
          await io.err.write(`\r\u001b[KWaiting ${seconds} s for the rate limit.\n`);
        }
      },
    },
    appInfo: { name: 'confab-command', version: packageVersion(import.meta.url) },
  });

/** A placeholder, because a dry run needs no base URL. */
const NOWHERE = 'http://localhost';

/** A request that was not sent. Its URL is only a path if no base URL is set. */
export interface DryRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/**
 * Creates a client that checks its input but sends nothing and needs no key. It responds with the body of each request.
 *
 * @param onRequest Receives the requests instead of the API.
 */
export const connectNowhere = (
  flags: GlobalFlags,
  io: Io,
  onRequest?: (request: DryRequest) => void,
): Confab => {
  const baseUrl = flags.mock ? undefined : readBaseUrl(flags, io);
  return createClient({
    baseUrl: baseUrl ?? NOWHERE,
    apiKey: 'none',
    fetch: async (url, { method, body: json }) => {
      const { pathname, search } = new URL(url);
      const body = json === undefined ? undefined : JSON.parse(String(json));
      onRequest?.({ method, url: baseUrl === undefined ? pathname + search : url, body });
      const meta = { total: 0, limit: 1, offset: 0 };
      return Response.json({ success: true, data: body ?? [], meta });
    },
    logger: {},
    rateLimit: false,
    validation: 'off',
  });
};
