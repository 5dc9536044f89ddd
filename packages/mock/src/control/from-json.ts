import { standardWebhooks } from '@confab/webhooks';
import { checkThat, throwIfInvalid } from '../errors/check.ts';
import { UNLIMITED } from './routes.ts';

const isScheme = checkThat(
  (value) => value === 'standard-webhooks',
  'an object such as { "header": "x-signature" }, or "standard-webhooks"',
);

/** Options as a mock takes them, where JSON has null for `Infinity`, and a scheme is named by a text. */
export const fromJson = <Options extends object>(body: object): Options =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (value === null && UNLIMITED.includes(name)) {
      return Number.POSITIVE_INFINITY;
    }
    if (name !== 'signature' || typeof value !== 'string') {
      return value;
    }
    throwIfInvalid(isScheme(name, value));
    return standardWebhooks();
  });
