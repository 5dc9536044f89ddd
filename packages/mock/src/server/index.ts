export type { MockServer, ServeOptions } from './serve.ts';
export { serve } from './serve.ts';
