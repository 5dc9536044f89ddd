export { serve } from './serve.ts';
export type { MockServer, ServeOptions } from './serve-options.ts';
