import type { Link, Weather } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';
import type { Fate } from './fate.ts';
import { drawFate } from './fate.ts';

/** The state of the two networks. */
export interface Conditions {
  /** Starts weather, which replaces what was before; the returned function ends it. */
  setWeather(link: Link, weather: Weather): () => void;
  /** Cuts one process off; the returned function reconnects it. */
  cut(link: Link, who: number): () => void;
  /** The fate of an exchange with a process; the name of the exchange decides what is drawn. */
  fateOf(link: Link, who: number, name: string): Fate;
}

/** Creates networks in calm weather. */
export const createConditions = (sim: Sim): Conditions => {
  const weathers: Record<Link, Weather[]> = { api: [], hook: [] };
  const cuts = new Map<string, number>();
  return {
    setWeather(link, weather) {
      weathers[link].push(weather);
      return () => {
        weathers[link] = weathers[link].filter((each) => each !== weather);
      };
    },
    cut(link, who) {
      const name = `${link}/${who}`;
      cuts.set(name, (cuts.get(name) ?? 0) + 1);
      return () => cuts.set(name, (cuts.get(name) ?? 1) - 1);
    },
    fateOf(link, who, name) {
      const fate = drawFate(
        sim.random(`${link}/${name}`),
        weathers[link].at(-1),
        sim.scenario.settings.networkMs,
      );
      return (cuts.get(`${link}/${who}`) ?? 0) > 0 ? { ...fate, request: 'lost' } : fate;
    },
  };
};
