import type { Fault } from '../world/fault.ts';
import type { LoggedRequest } from '../world/log.ts';
import { unlessAborted } from '../world/unless-aborted.ts';
import type { Latency, World } from '../world/world.ts';
import { type Answer, type Call, type Ending, NETWORK_ERROR, type NetworkError } from './call.ts';
import { errorAnswer, faultAnswer } from './envelope.ts';
import { readJson } from './input.ts';
import { keyOf } from './key.ts';
import { plannedFault } from './planned-fault.ts';
import { readQuery } from './query.ts';
import type { Received } from './received.ts';
import { route } from './route.ts';
import { type Release, serviceAnswer } from './service-answer.ts';

const latencyOf = ({ latency, chance }: World): number => {
  const draw = (value: Latency) =>
    typeof value === 'number' ? value : value.min + chance.next() * (value.max - value.min);
  return latency === 0 ? 0 : draw(latency);
};

/**
 * Answers a request: operation, fault, key, window, scope, checked input, change of the world, envelope, log.
 *
 * Every host calls this one function, so all of them answer alike.
 *
 * A request whose world is put back before it is answered breaks off like a connection: it changes nothing, and is in
 * no log.
 *
 * @throws The reason of the call's signal, once it aborts.
 */
export const handle = async (world: World, call: Call): Promise<Answer | NetworkError> => {
  const at = world.clock.now();
  const era = world.eras.current;
  let idle = world.clock.busy();
  const found = route(call.method, call.path);
  const query = readQuery(call.search, found?.operation.query);
  let received: Received = { call, found, query, body: undefined };
  let fault: Fault | undefined;
  let logged = false;
  const log = (status: number | undefined) => {
    if (logged || era.over) return;
    logged = true;
    logRequest(world, received, { at, status, fault });
  };
  /** Time may pass while nothing but the clock is waited for. */
  const released: Release = async (wait) => {
    idle();
    try {
      return await wait();
    } finally {
      idle = world.clock.busy();
    }
  };
  try {
    received = { ...received, body: await unlessAborted(call.body(), call.signal) };
    if (!world.faults.none)
      fault = await released(() => unlessAborted(plannedFault(world, received), call.signal));
    const delay = latencyOf(world) + (fault?.delayMs ?? 0);
    if (delay > 0) await released(() => world.clock.sleep(delay, call.signal));
    if (fault?.network === 'error') return NETWORK_ERROR;
    if (fault?.network === 'hang') {
      log(undefined);
      const answered = world.clock.hanging();
      await released(() => unlessAborted(era.end, call.signal)).finally(answered);
    }
    if (era.over) return NETWORK_ERROR;
    call.signal?.throwIfAborted();
    const answer = await answerTo(world, received, fault, released);
    if (era.over) return NETWORK_ERROR;
    log(answer.status);
    return answer;
  } finally {
    log(undefined);
    idle();
  }
};

const answerTo = async (
  world: World,
  received: Received,
  fault: Fault | undefined,
  released: Release,
): Promise<Answer> => {
  try {
    const stubbed = fault && faultAnswer(fault, received.found?.operation);
    const answer = stubbed ?? (await serviceAnswer(world, received, released));
    if (fault === undefined) return answer;
    return {
      ...answer,
      headers: { ...answer.headers, ...lowerCased(fault.headers ?? {}) },
      ending: endingOf(world, fault, received.call.signal),
    };
  } catch (error) {
    received.call.signal?.throwIfAborted();
    // Thrown on, each host would make something else of it; msw would send its stack.
    return errorAnswer(error, { headers: {}, strict: world.strict });
  }
};

const endingOf = ({ clock, eras }: World, { network }: Fault, signal: AbortSignal | undefined): Ending => {
  if (network === 'truncate') return 'broken';
  if (network !== 'stall') return 'whole';
  const givenUp = clock.hanging();
  signal?.addEventListener('abort', givenUp, { once: true });
  void eras.current.end.then(givenUp);
  return { givenUp };
};

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const logRequest = (
  world: World,
  { call, found, query, body }: Received,
  { at, status, fault }: Pick<LoggedRequest, 'at' | 'status' | 'fault'>,
): void =>
  world.log.add({
    operation: found?.id,
    method: call.method,
    path: call.path,
    keyId: keyOf(world.keys, call)?.id,
    params: found?.params ?? {},
    query: query.values,
    search: call.search,
    body: readJson(body ?? '').value,
    status,
    fault,
    at,
  });
