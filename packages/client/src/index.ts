export { operations } from './contract/index.ts';
