import { ask, worldOf } from '../world.ts';

/** The rows that every server has. */
export const mock = worldOf(1_000);

/** The page that every request reads. */
export const page: string = await ask(mock, '/leads');
