import type * as z from 'zod/mini';
import type { Reply } from './api-promise.ts';
import { ApiPromise } from './api-promise.ts';
import type { Caller } from './call.ts';
import type { Config } from './config.ts';
import type { OperationId, operations } from './contract/index.ts';
import { decodeSuccess } from './decode.ts';
import type { CallOptions } from './options.ts';
import type { Input } from './request.ts';
import { validateResponse } from './validate.ts';

/** What an operation answers with, envelope included. */
type EnvelopeOf<Id extends OperationId> = z.infer<(typeof operations)[Id]['response']>;

/** What an operation's call resolves with. */
export type DataOf<Id extends OperationId> = EnvelopeOf<Id>['data'];

/** Sends an operation and checks what comes back. Every resource is made of it. */
export interface Requester {
  /** The data alone. */
  send<Id extends OperationId>(id: Id, input: Input, options?: CallOptions): ApiPromise<DataOf<Id>>;
  /** The whole envelope. */
  exchange<Id extends OperationId>(
    id: Id,
    input: Input,
    options?: CallOptions,
  ): Promise<Reply<EnvelopeOf<Id>>>;
}

export const createRequester = (config: Config, call: Caller): Requester => {
  const exchange: Requester['exchange'] = async <Id extends OperationId>(
    id: Id,
    input: Input,
    options: CallOptions = {},
  ) => {
    const answer = await call(id, input, options);
    return {
      answer,
      decode() {
        const envelope = decodeSuccess(answer, config.key.redact);
        const mode = options.validation ?? config.validation;
        validateResponse(id, answer.status, envelope, mode, config.report);
        // In the modes that let drift pass, the type is what the contract promises and the service may have broken.
        return envelope as EnvelopeOf<Id>;
      },
    };
  };

  return {
    exchange,
    send: (id, input, options) =>
      new ApiPromise(
        exchange(id, input, options).then(({ answer, decode }) => ({ answer, decode: () => decode().data })),
      ),
  };
};
