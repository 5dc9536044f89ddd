export { kyFetch } from './ky-fetch.ts';
