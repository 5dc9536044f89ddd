import type { Mock } from '@confab/mock';
import type { HookLink } from '../network/hook-link.ts';
import { ID_HEADER } from '../network/hook-link.ts';
import type { Sim } from '../sim.ts';
import type { Receivers } from './receivers.ts';
import { signatureOf } from './receiving.ts';

/** The service as the sender of deliveries: its endpoint, and the secret that signs them. */
export interface Sender {
  /** Sends a delivery again, unless an earlier endpoint sent it; the fraction picks one of them. */
  redeliver(pick: number): void;
  /** Rotates the secret as the guides describe it. Later calls do nothing. */
  rotateSecret(): void;
  /** The secret that receivers have forgotten. */
  readonly expiredSecret: string | undefined;
}

/** The secret of the start. */
export const FIRST_SECRET = 'c2VjcmV0LW51bWJlci0wLW9mLXRoZS1yZWNlaXZlcnM=';
const SECOND_SECRET = 'c2VjcmV0LW51bWJlci0xLW9mLXRoZS1yZWNlaXZlcnM=';

/** Milliseconds after which receivers forget an old secret: longer than the sender repeats a delivery. */
const FORGET_SECRET = 1_200_000;

/** Milliseconds between the deployment of a new secret and its first use. */
const USE_SECRET = 5_000;

/** Adds the endpoint of the receivers to the service. */
export const createSender = (sim: Sim, mock: Mock, link: HookLink, receivers: Receivers): Sender => {
  const { scheme } = sim.scenario.settings.hooks;
  const addEndpoint = (secret: string): string =>
    mock.webhooks.add({
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
    redeliver(pick) {
      const { deliveries } = mock.webhooks;
      const delivery = deliveries[Math.floor(pick * deliveries.length)];
      if (delivery?.endpointId === endpoint) {
        mock.webhooks.redeliver(delivery.id);
      }
    },
    rotateSecret() {
      // Once only: a second rotation would begin before receivers may forget the first secret.
      if (rotated) {
        return;
      }
      rotated = true;
      receivers.deploy([SECOND_SECRET, FIRST_SECRET]);
      sim.timeline.after(USE_SECRET, 'event', () => {
        sim.log('the sender uses the new secret');
        mock.webhooks.remove(endpoint);
        endpoint = addEndpoint(SECOND_SECRET);
      });
      sim.timeline.after(FORGET_SECRET, 'event', () => {
        expiredSecret = FIRST_SECRET;
        receivers.deploy([SECOND_SECRET]);
      });
    },
    get expiredSecret() {
      return expiredSecret;
    },
  };
};
