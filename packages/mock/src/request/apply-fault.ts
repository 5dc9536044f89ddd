import type { Operation } from '@confab/client/contract';
import { rejectOnAbort } from '@confab/internal';
import { linkSignals } from '../world/clock/abort.ts';
import type { WorldClock } from '../world/clock/clock.ts';
import type { Fault, FaultRequest } from '../world/faults/fault.ts';
import type { RequestContext } from './context.ts';
import type { NetworkError, ServiceResponse } from './envelope.ts';
import { errorBody, isBodiless, jsonResponse, NETWORK_ERROR } from './envelope.ts';
import type { ReadJson } from './json.ts';
import { readJson } from './json.ts';
import { logRequest } from './log-request.ts';

/** Creates the request that faults are matched with. Its body and headers take time to read, so they are read on demand. */
const toFaultRequest = ({ incoming, route, query, body: text = '' }: RequestContext): FaultRequest => {
  let json: ReadJson | undefined;
  return {
    operation: route?.id,
    method: incoming.method,
    path: incoming.path,
    params: route?.params ?? {},
    query: query.values,
    get body() {
      json ??= readJson(text);
      return json.value;
    },
    get headers() {
      return incoming.headers();
    },
  };
};

/** Makes time pass until one of the signals is aborted. */
const waitUntilAborted = async (clock: WorldClock, ...signals: readonly AbortSignal[]): Promise<void> => {
  const { controller, release: unlink } = linkSignals(...signals);
  const release = clock.driveTime();
  await rejectOnAbort(new Promise(() => {}), controller.signal).catch(() => {});
  release();
  unlink();
};

/** Leaves a request without a response, until its caller aborts or the mock is reset. */
const hang = async (context: RequestContext): Promise<void> => {
  // Logged before the request ends, so that a test can see that it hangs.
  logRequest(context, undefined);
  await context.wait((signal) => waitUntilAborted(context.world.clock, signal));
};

const CODES: Readonly<Record<number, string>> = { 429: 'RATE_LIMIT_EXCEEDED', 503: 'SERVICE_UNAVAILABLE' };

const createInjectedResponse = (
  { status, code, body }: Fault,
  operation: Operation | undefined,
): ServiceResponse | undefined => {
  if (body !== undefined) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return jsonResponse(status ?? operation?.status ?? 200, text);
  }
  if (status === undefined && code === undefined) {
    return undefined;
  }
  const sent = status ?? 500;
  const usual = CODES[sent] ?? (sent >= 500 ? 'INTERNAL_ERROR' : 'INJECTED_FAULT');
  return jsonResponse(sent, errorBody(`A planned fault of the mock returned ${sent}`, code ?? usual));
};

/**
 * Takes the planned fault that applies to a request, if there is one.
 *
 * @throws The signal's reason, when the caller aborts or the mock is reset.
 */
export const takeFault = async (context: RequestContext): Promise<Fault | undefined> => {
  const { resetSignal } = context;
  const { faults } = context.world;
  const found = faults.take(toFaultRequest(context), resetSignal);
  const isTestCode = faults.planned.some(({ fault }) => typeof fault === 'function');
  const taken = await (isTestCode ? context.waitForTestCode(found) : found);
  resetSignal.throwIfAborted();
  return taken;
};

/**
 * Applies a fault to a request before its operation runs.
 *
 * @returns The response that replaces that of the operation, if there is one.
 * @throws The signal's reason, when the caller aborts or the mock is reset.
 */
export const respondWithFault = async (
  fault: Fault,
  context: RequestContext,
): Promise<ServiceResponse | NetworkError | undefined> => {
  if (fault.network === 'error') {
    return NETWORK_ERROR;
  }
  if (fault.network === 'hang') {
    await hang(context);
  }
  return createInjectedResponse(fault, context.route?.operation);
};

/** The most pieces that a slow body is sent in. */
const MAX_PIECES = 100;

/** Creates the pieces of a body, sent at the speed of a fault, up to the place where the fault cuts the body. */
const createPieces = (body: string, fault: Fault, { world: { clock }, resetSignal }: RequestContext) =>
  async function* (readerGone: AbortSignal): AsyncGenerator<Uint8Array> {
    const { network, bytesPerSecond = Number.POSITIVE_INFINITY } = fault;
    const isCut = network === 'truncate' || network === 'stall';
    const all = new TextEncoder().encode(body);
    const bytes = isCut ? all.subarray(0, all.length >>> 1) : all;
    // Each piece takes at least a hundredth of a second, so a fast body needs fewer of them.
    const size = Math.ceil(Math.max(bytes.length, bytesPerSecond) / MAX_PIECES);
    const began = clock.now();
    let sent = 0;
    do {
      const piece = bytes.subarray(sent, sent + size);
      sent += piece.length;
      const pause = began + (sent * 1_000) / bytesPerSecond - clock.now();
      if (pause > 0) {
        const { controller, release } = linkSignals(readerGone, resetSignal);
        await clock.sleep(Math.ceil(pause), controller.signal).finally(release);
      }
      yield piece;
    } while (sent < bytes.length);
    if (network === 'stall') {
      await waitUntilAborted(clock, readerGone, resetSignal);
    }
    if (isCut) {
      throw new Error('The fault ends the response here');
    }
  };

/** Adds the headers of a fault to a response, and slows its body down or cuts it short if the fault says so. */
export const alterResponse = (
  response: ServiceResponse,
  fault: Fault,
  context: RequestContext,
): ServiceResponse => {
  const added = Object.fromEntries(
    Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { status, body } = response;
  const isWhole = !fault.network && (fault.bytesPerSecond === undefined || body === '');
  return {
    ...response,
    headers: { ...response.headers, ...added },
    // A response without a body cannot be cut in the middle.
    pieces:
      isWhole || isBodiless(status, context.incoming.method) ? undefined : createPieces(body, fault, context),
  };
};
