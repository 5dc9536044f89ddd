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

/** The path of the control endpoints. No operation of the API starts with it. */
const PREFIX = '/__mock/';

/** The health check needs no token, because it reveals only that the server listens. */
const HEALTH_PATH = `${PREFIX}health`;

/** A mock with control endpoints. */
export interface Controlled {
  readonly mock: Mock;
  readonly access: AdminAccess;
  /** The state that a reset restores: that of the mock when it was served. */
  readonly start: Snapshot;
}

interface Target {
  readonly share: Share;
  /** GET for a HEAD. */
  readonly method: string;
  readonly url: URL;
}

/** Whether a path is that of a control endpoint. */
export const isControl = (path: string): boolean => `${path}/`.startsWith(PREFIX);

const nameOf = ({ url }: Target): string => url.pathname.slice(PREFIX.length);

const list = (): ControlResult => ({
  data: {
    endpoints: [
      { method: 'GET', path: HEALTH_PATH, description: 'Checks that the server listens. Needs no token.' },
      ...CONTROLS.map(({ method, name, description }) => ({ method, path: PREFIX + name, description })),
    ],
  },
});

const unknownControl = (target: Target): Refusal => {
  const [name, path] = [nameOf(target), target.url.pathname];
  const known = [{ name: 'health', method: 'GET' }, ...CONTROLS];
  const other = known.find((control) => control.name === name);
  const all = `The endpoints below ${PREFIX} are ${known.map((each) => `${each.method} ${each.name}`).join(', ')}.`;
  if (other !== undefined) {
    return notFound(`${path} must be called with ${other.method}, got ${target.method}. ${all}`);
  }
  const meant = closestName(
    name,
    known.map((control) => control.name),
  );
  const hint = meant === undefined ? '' : `Did you mean ${PREFIX}${meant}? `;
  return notFound(`Unknown control endpoint ${target.method} ${path}. ${hint}${all}`);
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
    // Whatever the mock refuses here, the cause is what the caller sent.
    throw error instanceof Refusal ? error : invalid(error instanceof Error ? error.message : String(error));
  }
};

/** Responds to `/__mock/*`, with which tests in any language control a served mock. */
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
