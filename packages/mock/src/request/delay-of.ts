import type { Latency } from '../world/world.ts';
import type { RequestContext } from './request-context.ts';

/** How long a request takes, in milliseconds: the mock's latency and the delay of its fault. */
export const delayOf = ({ world, fault }: Pick<RequestContext, 'world' | 'fault'>): number => {
  const { latency, chance } = world;
  const draw = (value: Latency) =>
    typeof value === 'number' ? value : value.min + chance.next() * (value.max - value.min);
  return (latency === 0 ? 0 : draw(latency)) + (fault?.delayMs ?? 0);
};
