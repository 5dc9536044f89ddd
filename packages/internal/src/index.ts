export { closestName } from './closest-name.ts';
export { namesOf, unknownNames } from './unknown-names.ts';
