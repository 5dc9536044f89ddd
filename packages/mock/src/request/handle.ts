import type { Answer, Call, Ending, NetworkError } from '../http/call.ts';
import { isBodiless, methodOf, NETWORK_ERROR } from '../http/call.ts';
import { errorAnswer, faultAnswer } from '../http/envelope.ts';
import { readQuery } from '../http/query.ts';
import type { WorldClock } from '../world/clock/clock.ts';
import type { Era } from '../world/clock/era.ts';
import { unlessAborted } from '../world/clock/unless-aborted.ts';
import type { Fault } from '../world/faults/fault.ts';
import type { Latency, World } from '../world/world.ts';
import { createLink } from './abort-link.ts';
import { logRequest } from './log-request.ts';
import { plannedFault } from './planned-fault.ts';
import type { Received } from './request-context.ts';
import { route } from './route.ts';
import type { Release } from './run-operation.ts';
import { serviceAnswer } from './run-operation.ts';

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
 * A request whose world is closed, or put back before it is answered breaks off like a connection: it changes nothing, and is in
 * no log.
 *
 * @throws The reason of the call's signal, once it aborts.
 */
export const handle = async (world: World, call: Call): Promise<Answer | NetworkError> => {
  if (world.life.over) {
    return NETWORK_ERROR;
  }
  const at = world.clock.now();
  const era = world.eras.current;
  let idle = world.clock.busy();
  const found = route(methodOf(call), call.path);
  const query = readQuery(call.search, found?.operation.query);
  let received: Received = { call, found, query, body: undefined };
  let fault: Fault | undefined;
  let logged = false;
  const log = (status: number | undefined) => {
    if (logged || era.over) {
      return;
    }
    logged = true;
    logRequest(world, received, { at, status, fault });
  };
  const link = createLink(call.signal, era);
  /** Time may pass while nothing but the clock, or code of the test, is waited for. */
  const released: Release = async (wait) => {
    idle();
    try {
      return await unlessAborted(wait(link.signal), link.signal);
    } finally {
      idle = world.clock.busy();
    }
  };
  try {
    received = { ...received, body: await unlessAborted(call.body(), call.signal) };
    if (era.over) {
      return NETWORK_ERROR;
    }
    if (!world.faults.none) {
      const back = world.clock.outside('test');
      fault = await released(() => plannedFault(world, received, era)).finally(back);
      if (era.over) {
        return NETWORK_ERROR;
      }
    }
    const delay = latencyOf(world) + (fault?.delayMs ?? 0);
    if (delay > 0) {
      await released((signal) => world.clock.sleep(delay, signal));
    }
    if (fault?.network === 'error') {
      return NETWORK_ERROR;
    }
    if (fault?.network === 'hang') {
      log(undefined);
      const answered = world.clock.hanging();
      await released(() => new Promise(() => {})).finally(answered);
    }
    call.signal?.throwIfAborted();
    const answer = await answerTo(world, received, { fault, era, released });
    if (era.over) {
      return NETWORK_ERROR;
    }
    log(answer.status);
    return answer;
  } catch (error) {
    if (era.over) {
      return NETWORK_ERROR;
    }
    throw error;
  } finally {
    log(undefined);
    link.undo();
    idle();
  }
};

const answerTo = async (
  world: World,
  received: Received,
  { fault, era, released }: { fault: Fault | undefined; era: Era; released: Release },
): Promise<Answer> => {
  try {
    const stubbed = fault && faultAnswer(fault, received.found?.operation);
    const answer = stubbed ?? (await serviceAnswer(world, received, released));
    if (fault === undefined) {
      return answer;
    }
    return {
      ...answer,
      headers: { ...answer.headers, ...lowerCased(fault.headers ?? {}) },
      // What has no body has no middle to break off in.
      ending:
        isBodiless(answer.status) || received.call.method === 'HEAD'
          ? 'whole'
          : endingOf(fault, { clock: world.clock, era }),
    };
  } catch (error) {
    received.call.signal?.throwIfAborted();
    // Thrown on, each host would make something else of it; msw would send its stack.
    return errorAnswer(error, { headers: {}, strict: world.strict });
  }
};

const endingOf = (
  { network }: Fault,
  { clock, era }: { clock: Pick<WorldClock, 'hanging'>; era: Era },
): Ending => {
  if (network === 'truncate') {
    return 'broken';
  }
  if (network !== 'stall') {
    return 'whole';
  }
  return {
    begin(broken) {
      const answered = clock.hanging();
      const forget = era.onEnd(() => {
        answered();
        broken();
      });
      return () => {
        answered();
        forget();
      };
    },
  };
};

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
