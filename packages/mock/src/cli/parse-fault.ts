import { closestName } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { Fault, FaultTarget } from '../world/faults/fault.ts';
import { NETWORK_FAULTS } from '../world/faults/fault.ts';

const effectOf = (text: string): Fault | undefined => {
  if (/^\d{3}$/.test(text)) {
    return { status: Number(text) };
  }
  const delay = /^(\d+)ms$/.exec(text)?.[1];
  if (delay !== undefined) {
    return { delayMs: Number(delay) };
  }
  const network = NETWORK_FAULTS.find((kind) => kind === text);
  return network === undefined ? undefined : { network };
};

/**
 * Parses the value of `--fault`: `leads.create:503`, `*:hang:0.05`, `leads.list:250ms`.
 *
 * @throws {@link UsageError} When it has another form.
 */
export const parseFault = (text: string): { target: FaultTarget; fault: Fault } => {
  const [target = '', effect = '', probability, ...rest] = text.split(':');
  const fault = effectOf(effect);
  const chance = probability === undefined ? 1 : Number(probability);
  if (fault === undefined || rest.length > 0 || probability === '' || Number.isNaN(chance)) {
    const meant = fault === undefined ? closestName(effect, NETWORK_FAULTS) : undefined;
    throw new UsageError(
      `--fault must be <operation or *>:<status, 250ms, error, hang, truncate or stall>[:<probability>], got ${JSON.stringify(text)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    );
  }
  // The faults check the operation, and suggest a known one.
  return { target: target as FaultTarget, fault: { ...fault, probability: chance } };
};
