import type { Hono } from 'hono';
import type { Env } from './app.ts';
import { createApp } from './app.ts';

/** Kept between requests, so that all of them share one client and its limiter. */
let app: Hono | undefined;

/** The Worker. Its bindings come with the first request. */
export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    app ??= createApp(env);
    return app.fetch(request);
  },
};
