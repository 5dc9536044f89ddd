import type { Random } from '../../support/random.ts';
import type { Sim } from '../sim.ts';

/** The two networks: between clients and service, and between service and receivers. */
export type Link = 'api' | 'hook';

/** Draws the probabilities that something happens to a message, and how late messages may be. */
export const drawWeather = (random: Random) => {
  const rate = (): number => (random.chance(0.4) ? random.pick([0.05, 0.2, 0.5]) : 0);
  return {
    loss: rate(),
    reset: rate(),
    duplicate: rate(),
    truncate: rate(),
    stall: rate(),
    split: rate(),
    delayMs: random.pick([0, 300, 3_000, 12_000]) as number,
  };
};

type Weather = ReturnType<typeof drawWeather>;

/** The weather in which nothing goes wrong. */
const CALM: Weather = { loss: 0, reset: 0, duplicate: 0, truncate: 0, stall: 0, split: 0, delayMs: 0 };

/** Draws what the network does with one request and its response. */
const drawFate = (random: Random, weather: Weather, networkMs: number) => {
  const delay = () => random.integer(0, networkMs) + random.integer(0, weather.delayMs);
  const first = <Name extends string>(odds: readonly (readonly [name: Name, chance: number])[]) =>
    odds.find(([, chance]) => random.chance(chance))?.[0] ?? 'arrives';
  const broken = [
    ['lost', weather.loss],
    ['reset', weather.reset],
    ['truncated', weather.truncate],
  ] as const;
  return {
    /** Milliseconds from the sender to the receiver, and back. */
    outMs: delay(),
    backMs: delay(),
    request: first(broken),
    response: first([...broken, ['stalled', weather.stall], ['split', weather.split]]),
    /** Milliseconds after the request at which a duplicate of it arrives. */
    duplicateMs: random.chance(weather.duplicate) ? delay() : undefined,
  };
};

export type Fate = ReturnType<typeof drawFate>;

/** Describes a fate in the trace. */
export const fateText = ({ request, response, duplicateMs }: Fate): string =>
  `${request === 'arrives' ? '' : ` request ${request}`}${response === 'arrives' ? '' : ` response ${response}`}${duplicateMs === undefined ? '' : ' duplicated'}`;

/** Creates both networks, in calm weather. */
export const createConditions = (sim: Sim) => {
  const weathers: Record<Link, Weather[]> = { api: [], hook: [] };
  const cuts: string[] = [];
  return {
    /** Starts weather, which replaces the weather before it until it ends. */
    setWeather(link: Link, weather: Weather, until: number): void {
      weathers[link].push(weather);
      sim.at(until, () => weathers[link].splice(weathers[link].indexOf(weather), 1));
    },
    /** Cuts off one process: its requests are lost. */
    cut(link: Link, who: number, until: number): void {
      const name = `${link}/${who}`;
      cuts.push(name);
      sim.at(until, () => cuts.splice(cuts.indexOf(name), 1));
    },
    /** Draws the fate of an exchange with a process, in a random stream with the name of the exchange. */
    fateOf(link: Link, who: number, name: string): Fate {
      const weather = weathers[link].at(-1) ?? CALM;
      const fate = drawFate(sim.random(`${link}/${name}`), weather, sim.settings.networkMs);
      return cuts.includes(`${link}/${who}`) ? { ...fate, request: 'lost' } : fate;
    },
  };
};

export type Conditions = ReturnType<typeof createConditions>;
