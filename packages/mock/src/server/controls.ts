import type { Inbound } from '../inbound.ts';
import type { Mock } from '../mock.ts';
import type { Fault, FaultTarget } from '../world/faults/fault.ts';
import { slicePage } from '../world/log/request-query.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { readClockBody, readFaultsBody, readInboundBody } from './control-bodies.ts';
import { eventHint, readDeliveriesQuery, readRequestsQuery } from './control-queries.ts';

/** A request to a control endpoint. */
interface ControlRequest {
  readonly mock: Mock;
  /** The state that a reset restores. */
  readonly start: Snapshot;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** The envelope of its response, without `success`. */
export interface ControlResult {
  readonly data: unknown;
  readonly meta?: unknown;
}

/** A control endpoint: one way to control or inspect a mock from outside. */
export interface Control {
  readonly method: 'GET' | 'POST';
  /** Its path below `/__mock/`. */
  readonly name: string;
  /** What it does, for the list of endpoints. */
  readonly description: string;
  run(request: ControlRequest): ControlResult | Promise<ControlResult>;
}

const now = (mock: Mock): ControlResult => ({ data: { now: new Date(mock.clock.now()).toISOString() } });

/** All control endpoints, except for their list and the health check, which need no mock. */
export const CONTROLS: readonly Control[] = [
  {
    method: 'GET',
    name: 'state',
    description: 'Returns all rows.',
    run: ({ mock }) => ({ data: mock.dump() }),
  },
  {
    method: 'GET',
    name: 'requests',
    description: 'Returns the latest requests, oldest first: ?operation=&status=&method=&limit=&offset=',
    run: ({ mock, query }) => mock.requests.list(readRequestsQuery(query)),
  },
  {
    method: 'GET',
    name: 'deliveries',
    description: 'Returns the latest deliveries, oldest first: ?event=&state=&limit=&offset=',
    run: ({ mock, query }) => {
      const { event, state, ...slice } = readDeliveriesQuery(query);
      const { deliveries } = mock.webhooks;
      const wanted = deliveries.filter(
        (delivery) =>
          (event === undefined || delivery.event === event) &&
          (state === undefined || delivery.state === state),
      );
      const { data, meta } = slicePage(wanted, slice);
      const hint = event === undefined ? undefined : eventHint(event, deliveries);
      return { data, meta: { ...meta, ...(hint !== undefined && { hint }) } };
    },
  },
  {
    method: 'POST',
    name: 'inbound',
    description: 'Simulates a message from a lead: { "phone", "body" }',
    run: async ({ mock, body }) => ({ data: await mock.inbound(readInboundBody(body) as Inbound) }),
  },
  {
    method: 'POST',
    name: 'faults',
    description: 'Plans a fault: { "operation", "fault", "once"? }; or removes all: { "clear": true }',
    run: ({ mock, body: text }) => {
      const body = readFaultsBody(text);
      if ('clear' in body) {
        mock.faults.clear();
        return { data: {} };
      }
      // The faults check both.
      const [target, fault] = [body.operation as FaultTarget, body.fault as Fault];
      if (body.once === false) {
        mock.faults.always(target, fault);
      } else {
        mock.faults.once(target, fault);
      }
      return { data: {} };
    },
  },
  {
    method: 'POST',
    name: 'clock',
    description: 'Moves the virtual clock: { "advance": ms } or { "set": "…" }',
    run: async ({ mock, body: text }) => {
      const body = readClockBody(text);
      await ('set' in body ? mock.clock.set(body.set) : mock.clock.advance(body.advance));
      return now(mock);
    },
  },
  {
    method: 'POST',
    name: 'reset',
    description: 'Restores the state from when the server started.',
    run: ({ mock, start }) => {
      mock.restore(start);
      return now(mock);
    },
  },
];
