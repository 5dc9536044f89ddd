import type { IncomingMessage } from 'node:http';
import type { Inbound } from '../inbound.ts';
import type { Mock } from '../mock.ts';
import type { Answer } from '../request/call.ts';
import { refusalAnswer } from '../request/envelope.ts';
import { invalid, notFound, payloadTooLarge, Refusal } from '../request/refusal.ts';
import type { Fault, FaultTarget } from '../world/fault.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { type AdminAccess, checkAdmin } from './admin.ts';
import { readClockBody, readFaultsBody, readInboundBody } from './control-bodies.ts';
import { headerOf, readIncoming } from './incoming.ts';

/** Where the control endpoints are; no operation of the API begins so. */
export const CONTROL_PREFIX = '/__mock/';

type Control = (mock: Mock, body: string, start: Snapshot) => unknown;

const now = (mock: Mock) => ({ now: new Date(mock.clock.now()).toISOString() });

const controls: Readonly<Record<string, Control>> = {
  'GET state': (mock) => mock.dump(),
  'GET requests': (mock) => mock.requests.all,
  'GET deliveries': (mock) => mock.webhooks.deliveries,
  'POST reset': (mock, _, start) => {
    mock.restore(start);
    return now(mock);
  },
  'POST clock': async (mock, text) => {
    const body = readClockBody(text);
    await ('set' in body ? mock.clock.set(body.set) : mock.clock.advance(body.advance));
    return now(mock);
  },
  'POST faults': (mock, text) => {
    const body = readFaultsBody(text);
    if ('clear' in body) {
      mock.faults.clear();
      return {};
    }
    // The faults check both themselves, and say what is wrong.
    const [target, fault] = [body.operation as FaultTarget, body.fault as Fault];
    if (body.once === false) mock.faults.always(target, fault);
    else mock.faults.once(target, fault);
    return {};
  },
  'POST inbound': (mock, text) => mock.inbound(readInboundBody(text) as Inbound),
};

/** A mock that can be driven by control endpoints. */
export interface Controlled {
  readonly mock: Mock;
  readonly access: AdminAccess;
  /** Where a reset goes back to: with the faults, keys and endpoints that the mock was given before it was served. */
  readonly start: Snapshot;
}

const run = async (
  { mock, access, start }: Controlled,
  incoming: IncomingMessage,
  path: string,
): Promise<unknown> => {
  checkAdmin((name) => headerOf(incoming, name), access);
  const control = controls[`${incoming.method} ${path}`];
  if (control === undefined)
    throw notFound(
      `There is no control ${incoming.method} ${path}; there are ${Object.keys(controls).join(', ')}`,
    );
  const body = await readIncoming(incoming);
  if (body === undefined) throw payloadTooLarge();
  try {
    return await control(mock, body, start);
  } catch (error) {
    // Whatever a part of the mock refuses, it does so because of what the caller asked for.
    throw error instanceof Refusal ? error : invalid(error instanceof Error ? error.message : String(error));
  }
};

/** Answers `/__mock/*`, by which tests in any language drive a mock that is served. */
export const control = async (
  served: Controlled,
  incoming: IncomingMessage,
  path: string,
): Promise<Answer> => {
  try {
    const data = await run(served, incoming, path.slice(CONTROL_PREFIX.length));
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ success: true, data }),
      ending: 'whole',
    };
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, {});
    throw error;
  }
};
