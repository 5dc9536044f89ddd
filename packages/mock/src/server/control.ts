import type { IncomingMessage } from 'node:http';
import { closestName } from '@confab/internal';
import { refusalResponse } from '../http/envelope.ts';
import { invalid, notFound, payloadTooLarge, Refusal } from '../http/refusal.ts';
import type { ServiceResponse } from '../http/service-response.ts';
import type { Mock } from '../mock.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { AdminAccess } from './admin.ts';
import { checkAdmin } from './admin.ts';
import type { Share } from './capacity.ts';
import type { Control, ControlResult } from './controls.ts';
import { CONTROLS } from './controls.ts';
import { headerOf, readIncoming } from './incoming.ts';

/** Where the control endpoints are; no operation of the API begins so. */
const PREFIX = '/__mock/';

/** Answers without a token, wherever the server can be reached from: it tells nothing but that it listens. */
const HEALTH_PATH = `${PREFIX}health`;

/** A mock that can be driven by control endpoints. */
export interface Controlled {
  readonly mock: Mock;
  readonly access: AdminAccess;
  /** Where a reset goes back to: with the faults, keys and endpoints that the mock was given before it was served. */
  readonly start: Snapshot;
}

interface Target {
  readonly share: Share;
  /** GET for a HEAD. */
  readonly method: string;
  readonly url: URL;
}

/** Whether a path is one of ours. */
export const isControl = (path: string): boolean => `${path}/`.startsWith(PREFIX);

const nameOf = ({ url }: Target): string => url.pathname.slice(PREFIX.length);

const list = (): ControlResult => ({
  data: {
    endpoints: [
      { method: 'GET', path: HEALTH_PATH, does: 'says that the server listens; needs no token' },
      ...CONTROLS.map(({ method, name, does }) => ({ method, path: PREFIX + name, does })),
    ],
  },
});

const unknownControl = (target: Target): Refusal => {
  const [name, path] = [nameOf(target), target.url.pathname];
  const known = [{ name: 'health', method: 'GET' }, ...CONTROLS];
  const other = known.find((control) => control.name === name);
  const all = `Below ${PREFIX} there are ${known.map((each) => `${each.method} ${each.name}`).join(', ')}.`;
  if (other !== undefined) {
    return notFound(`${path} takes ${other.method}, not ${target.method}. ${all}`);
  }
  const meant = closestName(
    name,
    known.map((control) => control.name),
  );
  const hint = meant === undefined ? '' : `Did you mean ${PREFIX}${meant}? `;
  return notFound(`There is no control endpoint ${target.method} ${path}. ${hint}${all}`);
};

const found = (target: Target): Control => {
  const name = nameOf(target);
  const control = CONTROLS.find((each) => each.name === name && each.method === target.method);
  if (control === undefined) {
    throw unknownControl(target);
  }
  return control;
};

const run = async (
  { mock, access, start }: Controlled,
  incoming: IncomingMessage,
  target: Target,
): Promise<ControlResult> => {
  if (target.method === 'GET' && target.url.pathname === HEALTH_PATH) {
    return { data: { status: 'ok' } };
  }
  checkAdmin((name) => headerOf(incoming, name), access);
  if (target.method === 'GET' && nameOf(target) === '') {
    return list();
  }
  const control = found(target);
  const body = await readIncoming(incoming, target.share);
  if (body === undefined) {
    throw payloadTooLarge();
  }
  try {
    return await control.run({ mock, start, query: target.url.searchParams, body });
  } catch (error) {
    // Whatever a part of the mock refuses, it does so because of what the caller asked for.
    throw error instanceof Refusal ? error : invalid(error instanceof Error ? error.message : String(error));
  }
};

/** Answers `/__mock/*`, by which tests in any language drive a mock that is served. */
export const control = async (
  served: Controlled,
  incoming: IncomingMessage,
  target: Target,
): Promise<ServiceResponse> => {
  try {
    const result = await run(served, incoming, target);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ success: true, ...result }),
      ending: 'complete',
    };
  } catch (error) {
    if (error instanceof Refusal) {
      return refusalResponse(error, {});
    }
    throw error;
  }
};
