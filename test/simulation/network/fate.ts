import type { Random } from '../clock/random.ts';
import type { Weather } from '../scenario/scenario.ts';

/** What the network does with one request and its response. */
export interface Fate {
  readonly request: 'arrives' | 'lost' | 'reset' | 'truncated';
  readonly response: 'arrives' | 'lost' | 'reset' | 'truncated' | 'stalled' | 'split';
  /** Milliseconds from the sender to the receiver, and back. */
  readonly outMs: number;
  readonly backMs: number;
  /** Milliseconds after the request at which a duplicate of it arrives. */
  readonly duplicateMs: number | undefined;
}

/** The weather in which nothing goes wrong. */
const CALM: Weather = { loss: 0, reset: 0, duplicate: 0, truncate: 0, stall: 0, split: 0, delayMs: 0 };

/** Draws the fate of one exchange. */
export const drawFate = (random: Random, weather: Weather | undefined, networkMs: number): Fate => {
  const { loss, reset, duplicate, truncate, stall, split, delayMs } = weather ?? CALM;
  const delay = () => random.whole(0, networkMs) + random.whole(0, delayMs);
  const outMs = delay();
  const backMs = delay();
  const first = <Name extends string>(odds: readonly (readonly [name: Name, chance: number])[]) =>
    odds.find(([, chance]) => random.chance(chance))?.[0] ?? 'arrives';
  const broken = [
    ['lost', loss],
    ['reset', reset],
    ['truncated', truncate],
  ] as const;
  const request = first(broken);
  const response = first([...broken, ['stalled', stall], ['split', split]] as const);
  return {
    request,
    response,
    outMs,
    backMs,
    duplicateMs: random.chance(duplicate) ? delay() : undefined,
  };
};
