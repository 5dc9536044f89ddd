import { didYouMean, packageVersion, UsageError } from '@confab/internal/cli';
import { inWords } from '../call/in-words.ts';
import type { Confab } from '../client.ts';
import { createClient } from '../client.ts';
import type { ClientOptions } from '../options/client-options.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import type { Io } from './io.ts';
import { loadMock } from './load-mock.ts';
import type { FlagValues } from './parse-command-line.ts';

const authFrom = (text: unknown): NonNullable<ClientOptions['auth']> => {
  const { values } = GLOBAL_FLAGS.auth;
  const known = values.find((name) => name === text);
  if (known === undefined) {
    const meant = didYouMean(String(text), values).trim();
    throw new UsageError(
      `--auth must be ${values.join(' or ')}, got ${JSON.stringify(text)}.${meant && ` ${meant}`}`,
    );
  }
  return known;
};

/** The base URL of the flag or the environment; undefined if both are missing. */
export const baseUrlFrom = (values: FlagValues, { env }: Io): string | undefined => {
  const given = values['base-url'] ?? env.CONFAB_BASE_URL;
  return given === '' || given === undefined ? undefined : String(given);
};

const keyFrom = async (values: FlagValues, io: Io): Promise<string> => {
  const given = values['api-key'];
  if (typeof given === 'string' && given !== '') {
    await io.err.write(
      'confab: Other processes can see the key of --api-key, and your shell may save it. Set CONFAB_API_KEY instead.\n',
    );
    return given;
  }
  const key = io.env.CONFAB_API_KEY || (await io.askSecret?.('API key: '));
  if (key === undefined || key.trim() === '') {
    throw new UsageError(
      'No API key. Set CONFAB_API_KEY. To try the command without an account, add --mock.',
    );
  }
  return key.trim();
};

const optionsFrom = async (values: FlagValues, io: Io): Promise<ClientOptions> => {
  const auth = values.auth === undefined ? {} : { auth: authFrom(values.auth) };
  if (values.mock === true) {
    if (values['base-url'] !== undefined || values['api-key'] !== undefined) {
      throw new UsageError('--mock has its own base URL and API key. Remove --base-url and --api-key.');
    }
    return { ...(await loadMock()), ...auth };
  }
  const baseUrl = baseUrlFrom(values, io);
  if (baseUrl === undefined) {
    throw new UsageError(
      'No base URL. Pass --base-url, or set CONFAB_BASE_URL. To try the command without an account, add --mock.',
    );
  }
  return { ...auth, baseUrl, apiKey: await keyFrom(values, io) };
};

/**
 * Creates the client that flags and environment describe.
 *
 * @throws {@link UsageError} When something is missing.
 * @throws {@link ConfigurationError} When something is invalid.
 */
export const connect = async (values: FlagValues, io: Io): Promise<Confab> =>
  createClient({
    ...(await optionsFrom(values, io)),
    hooks: {
      onPause: async ({ durationMs }) => {
        if (io.err.isTerminal) {
          await io.err.write(`\r\u001b[KWaiting ${inWords(durationMs)} for the rate limit.\n`);
        }
      },
    },
    appInfo: { name: 'confab-command', version: packageVersion(import.meta.url) },
  });
