import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Arrival } from '../../../client/test/support/arrivals.ts';
import type { Responder } from '../../../client/test/support/server.ts';
import { hang } from '../../../client/test/support/server.ts';
import type { Fault } from '../../src/index.ts';

/** The state of a response that a responder has written to. */
interface Script {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Undefined while it has not begun. */
  state: undefined | 'begun' | 'ended' | 'broken';
}

/** Decompresses a body, as its reader would: a mock does not compress its responses. */
const plain = (chunk: string | Uint8Array = ''): string =>
  typeof chunk === 'string' ? chunk : gunzipSync(chunk).toString();

const faultOf = ({ status, headers, body, state }: Script): Fault => {
  if (state === 'broken' && body === '') {
    return { network: 'error' };
  }
  const { 'content-encoding': _, ...sent } = headers;
  const answer = { status, headers: sent, body };
  if (state === 'ended') {
    return answer;
  }
  return { ...answer, network: state === 'broken' ? 'truncate' : 'stall' };
};

/**
 * Runs a responder written for node:http against a response that only records, and turns the recording into a fault with
 * which a mock responds in the same way.
 */
export const faultFrom = (responder: Responder, arrival: Arrival): Fault | Promise<Fault> => {
  if (responder === hang) {
    return { network: 'hang' };
  }
  const script: Script = { status: 200, headers: {}, body: '', state: undefined };
  return new Promise((resolve, reject) => {
    const response = {
      writeHead(status: number, headers: Record<string, string> = {}) {
        Object.assign(script, { status, headers, state: 'begun' });
        return response;
      },
      write(chunk: string, written = () => {}) {
        script.body += plain(chunk);
        queueMicrotask(() => {
          written();
          // The writer goes on at once or never.
          resolve(faultOf(script));
        });
      },
      end(chunk?: string | Uint8Array) {
        script.body += plain(chunk);
        script.state = 'ended';
        resolve(faultOf(script));
      },
      destroy() {
        script.state = 'broken';
        resolve(faultOf(script));
      },
    };
    const request = { socket: { destroy: response.destroy } };
    Promise.resolve(
      responder(arrival, response as unknown as ServerResponse, request as unknown as IncomingMessage),
    ).catch(reject);
  });
};
