import { standardWebhooks } from '@confab/webhooks';
import { UNLIMITED } from './routes.ts';

/** Options as a mock takes them, where JSON has null for `Infinity`, and a scheme is named by a text. */
export const fromJson = <Options extends object>(body: object): Options =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (value === null && UNLIMITED.includes(name)) {
      return Number.POSITIVE_INFINITY;
    }
    return name === 'signature' && value === 'standard-webhooks' ? standardWebhooks() : value;
  });
