import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, inject } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import type { HostName } from './vitest.config.ts';

/** A mock that the platform's `fetch` reaches. */
export interface Hosted {
  readonly mock: Mock;
  /** Base URL for a client. */
  readonly url: string;
  close(): void;
}

let made = 0;

/** Counts the mocks, each of which has an origin of its own, like a server. */
const make = (): Mock => {
  made += 1;
  return createMock({ baseUrl: `https://service-${made}.confab.test`, strict: true });
};

/** Sends requests to the origin of a mock to its `mock.fetch`. */
const throughFetch = (): (() => Hosted) => {
  const mocks = new Map<string, Mock>();
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    return (mocks.get(origin)?.fetch ?? real)(input, init);
  };
  return () => {
    const mock = make();
    mocks.set(mock.baseUrl, mock);
    return { mock, url: mock.baseUrl, close: () => mocks.delete(mock.baseUrl) };
  };
};

const throughMsw = (): (() => Hosted) => {
  const server = setupServer();
  // The host names of the origins do not exist, so nothing may look them up.
  server.listen({ onUnhandledFrame: 'error' });
  afterAll(() => server.close());
  return () => {
    const mock = make();
    // The handlers leave other paths to the page. Some tests have a base URL with a path, or send requests of their own.
    const others = http.all(`${mock.baseUrl}/*`, ({ request }) => mock.fetch(request));
    server.use(...mock.handlers, others);
    return { mock, url: mock.baseUrl, close: () => server.resetHandlers() };
  };
};

const throughServer = (): (() => Promise<Hosted>) => async () => {
  const mock = make();
  const { url, close } = await serve(mock);
  return { mock, url, close: () => void close() };
};

const hosts: Readonly<Record<HostName, () => () => Hosted | Promise<Hosted>>> = {
  'mock.fetch': throughFetch,
  msw: throughMsw,
  'serve()': throughServer,
};

/** Creates a mock behind the host that this run tests. */
export const host: () => Hosted | Promise<Hosted> = hosts[inject('host')]();
