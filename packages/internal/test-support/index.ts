export { eventually } from './eventually.ts';
export { bytesInUse, collectGarbage } from './garbage.ts';
export { listen } from './listen.ts';
export { turns } from './turns.ts';
