import { printable } from '@confab/internal/cli';
import { AuthenticationError, ConfabError, ConfigurationError } from '../errors/index.ts';
import { jsonLine } from './output/print-rows.ts';

/** The client's messages name its options; people at a shell set flags. */
const withFlags = (message: string): string =>
  message
    .replaceAll('`baseUrl`', '--base-url')
    .replaceAll('`apiKey`', '--api-key')
    .replaceAll('`dangerouslyAllowHttp: true`', 'https');

const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ConfigurationError || error instanceof AuthenticationError
    ? withFlags(message)
    : message;
};

/** A sentence for people. Its lines are kept, because each names one problem. */
const sentence = (error: unknown): string =>
  `confab: ${messageOf(error).split('\n').map(printable).join('\n')}`;

/** A line for programs: the same fields as `toJSON()` of the client's errors. */
const line = (error: unknown): string => {
  const plain = error instanceof ConfabError ? error.toJSON() : error instanceof Error ? { ...error } : {};
  return jsonLine({
    error: { name: error instanceof Error ? error.name : 'Error', ...plain, message: messageOf(error) },
  });
};

/** Describes an error, without the API key. */
export const describeError = (error: unknown, asJson: boolean): string => (asJson ? line : sentence)(error);
