import type { Mock } from '@confab/mock';
import type { HookLink } from '../network/hook-link.ts';
import { ID_HEADER } from '../network/hook-link.ts';
import type { Sim } from '../sim.ts';
import type { Receivers } from './receivers.ts';
import { signatureOf } from './receiving.ts';

/** The first secret, and the one that replaces it. */
export const FIRST_SECRET = 'c2VjcmV0LW51bWJlci0wLW9mLXRoZS1yZWNlaXZlcnM=';
const SECOND_SECRET = 'c2VjcmV0LW51bWJlci0xLW9mLXRoZS1yZWNlaXZlcnM=';

/** Milliseconds after which receivers forget an old secret: longer than the sender redelivers. */
const FORGET_SECRET = 1_200_000;

/** Milliseconds between the deployment of a new secret and its first use. */
const USE_SECRET = 5_000;

/** Creates the sender of deliveries: the endpoint of the service, and the secret that signs them. */
export const createSender = (sim: Sim, { webhooks }: Mock, link: HookLink, receivers: Receivers) => {
  const { scheme } = sim.settings.hooks;
  const addEndpoint = (secret: string): string =>
    webhooks.add({
      url: 'https://receiver.test/webhooks',
      secret,
      signature: signatureOf(scheme),
      fetch: (request) => link.fetch(request),
      ...(scheme === 'standard' ? {} : { idHeader: ID_HEADER }),
    });
  let endpoint = addEndpoint(FIRST_SECRET);
  let expiredSecret: string | undefined;
  let rotated = false;

  return {
    /** Redelivers the delivery at a fraction of the list, unless an earlier endpoint sent it. */
    redeliver(pick: number): void {
      const delivery = webhooks.deliveries[Math.floor(pick * webhooks.deliveries.length)];
      if (delivery?.endpointId === endpoint) {
        webhooks.redeliver(delivery.id);
      }
    },
    /** Rotates the secret as the guides describe it. */
    rotateSecret(): void {
      // A second rotation would begin before receivers may forget the first secret.
      if (rotated) {
        return;
      }
      rotated = true;
      receivers.deploy([SECOND_SECRET, FIRST_SECRET]);
      sim.after(USE_SECRET, () => {
        sim.log('the sender uses the new secret');
        webhooks.remove(endpoint);
        endpoint = addEndpoint(SECOND_SECRET);
      });
      sim.after(FORGET_SECRET, () => {
        expiredSecret = FIRST_SECRET;
        receivers.deploy([SECOND_SECRET]);
      });
    },
    /** The secret that receivers have forgotten. */
    get expiredSecret() {
      return expiredSecret;
    },
  };
};

export type Sender = ReturnType<typeof createSender>;
