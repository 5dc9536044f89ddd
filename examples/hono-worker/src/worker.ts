import type { Hono } from 'hono';
import type { Env } from './app.ts';
import { createApp } from './app.ts';

/** The application, kept between requests, which share its client and limiter. */
let app: Hono | undefined;

/** The Worker. It gets its bindings with the first request. */
export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    app ??= createApp(env);
    return app.fetch(request);
  },
};
