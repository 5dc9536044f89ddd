import { createRedact } from '@confab/internal';
import { Refusal } from '../../errors/refusal.ts';
import { toBaseUrl } from '../../request/call.ts';
import { startHttpServer } from '../../server/http-server.ts';
import { Capacity } from '../../server/limits.ts';
import type { MockServer, TlsOptions } from '../../server/serve-options.ts';
import type { ForwardLimits, Outcome } from './ask-service.ts';
import { unreachable } from './ask-service.ts';
import { DriftLog } from './drift.ts';
import type { Forwarding } from './pass-on.ts';
import { passOn } from './pass-on.ts';
import type { RecordedData } from './recording.ts';
import { Recording } from './recording.ts';

interface ForwardOptions {
  /** The base URL of the service. */
  readonly url: string;
  /** Sent to the service in place of the key of each request. */
  readonly key?: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsOptions | undefined;
  /** Whether personal values are recorded as they are. */
  readonly keepPersonalData: boolean;
  /** Called with a line for each new kind of drift, and for each failure to reach the service. */
  readonly report: (line: string) => void;
  readonly onRequest?: Forwarding['onEnd'] | undefined;
  /** Lower limits, for tests. */
  readonly limits?: Partial<ForwardLimits> | undefined;
}

/** A proxy in front of a service, which compares it with the contract. */
export interface Forward extends MockServer {
  /** How many requests it has passed on. */
  readonly requests: number;
  /** Changes with every exchange that is recorded. */
  readonly changes: number;
  /** What was recorded so far. */
  data(): RecordedData;
  /** How many rows are missing in the recording, because they differ from the contract. */
  readonly leftOut: Recording['leftOut'];
  /** A line for each kind of drift, with its count. */
  drift(): string[];
}

/** Keys of one run. More of them are guesses of a stranger. */
const MOST_KEYS = 1_000;

/**
 * Starts a server that passes requests on to a service, and compares both directions with the contract.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the URL, or the certificate or its key, is invalid.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const forward = async (options: ForwardOptions): Promise<Forward> => {
  const { url, key, port, host, tls, keepPersonalData, report, limits } = options;
  const log = new DriftLog(report);
  const recording = new Recording({ keepPersonalData });
  const keys = new Set<string>(key === undefined ? [] : [key]);
  const counts = new Map<string, number>();
  let redact = createRedact([...keys]);
  let requests = 0;
  let failure: string | undefined;
  /** Reports why the service can't be reached, once until that changes. */
  const reportFailure = (outcome: Outcome): void => {
    const now = unreachable(outcome);
    if (now !== undefined && now !== failure) {
      report(now);
    }
    failure = now;
  };

  const forwarding: Forwarding = {
    base: toBaseUrl(url),
    key,
    capacity: new Capacity(),
    limits,
    count(operation) {
      const before = counts.get(operation) ?? 0;
      counts.set(operation, before + 1);
      return before;
    },
    onKeys(found) {
      const before = keys.size;
      for (const each of found) {
        keys.add(each);
      }
      if (keys.size > MOST_KEYS) {
        throw new Refusal(
          503,
          'SERVICE_UNAVAILABLE',
          'This proxy has seen too many different keys. Restart it.',
        );
      }
      if (keys.size > before) {
        redact = createRedact([...keys]);
      }
    },
    onExchange(exchange) {
      requests += 1;
      log.add(exchange, redact);
      reportFailure(exchange.outcome);
      const wasFull = recording.isFull;
      recording.add(exchange);
      if (recording.isFull && !wasFull) {
        report('The recording is full: later requests are passed on, but not recorded');
      }
    },
    onEnd: (request) => options.onRequest?.({ ...request, path: redact(request.path) }),
  };
  const server = await startHttpServer((incoming, outgoing) => void passOn(forwarding, incoming, outgoing), {
    port,
    host,
    tls,
  });
  return {
    url: server.url,
    get requests() {
      return requests;
    },
    get changes() {
      return recording.changes;
    },
    get leftOut() {
      return recording.leftOut;
    },
    data: () => recording.data(keys),
    drift: () => log.summary(),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
};
