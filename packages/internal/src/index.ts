export { closestName } from './closest-name.ts';
export { isLoopback } from './is-loopback.ts';
export { namesOf, unknownNames } from './unknown-names.ts';
