import { ATTACKS } from '../actors/attacker.ts';
import { phoneOf } from '../actors/service.ts';
import type { Random } from '../clock/random.ts';
import { CALM_FROM } from '../sim.ts';
import type { Step } from './step.ts';
import { many, moment } from './step.ts';

/** Draws deliveries, repeats of them, attacks, and rotations of their secret. */
export const drawDeliveries = (random: Random): Step[] => [
  ...many(random.integer(0, 6), () => {
    const at = moment(random);
    const count = random.pick([1, 1, 4]);
    const fault = { copies: random.pick([1, 1, 2]), delayMs: random.pick([0, 0, 5_000]) };
    return {
      kind: 'inbound',
      at,
      run({ mock }, id) {
        for (let message = 0; message < count; message += 1) {
          mock.webhooks.deliveryFaults.once(fault);
          void mock.inbound({
            phone: phoneOf(message),
            channel: 'whatsapp',
            body: `Message ${id}.${message}`,
          });
        }
      },
    };
  }),
  ...many(random.pick([0, 0, 2]), () => {
    const at = moment(random);
    const pick = random.next();
    return { kind: 'redeliver', at, run: ({ sender }) => sender.redeliver(pick) };
  }),
  ...many(random.pick([0, 2, 6]), () => {
    const at = random.integer(0, CALM_FROM);
    const attack = random.pick(ATTACKS);
    const pick = random.next();
    return { kind: 'attack', at, run: ({ attacker }) => attacker.attack(attack, pick) };
  }),
  ...many(random.pick([0, 0, 0, 1]), () => ({
    kind: 'rotate-secret',
    at: moment(random),
    run: ({ sender }) => sender.rotateSecret(),
  })),
];
