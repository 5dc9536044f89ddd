import {
  checkControlBody,
  checkControlQuery,
} from '../../../packages/mock/src/control/check-control-input.ts';
import { matchControl } from '../../../packages/mock/src/control/match-control.ts';
import { Snapshots } from '../../../packages/mock/src/control/snapshots.ts';
import { CONTROLS } from '../../../packages/mock/src/control/table.ts';
import { createMockWithKey } from '../../../packages/mock/src/create-mock.ts';
import { MockError } from '../../../packages/mock/src/errors/mock-error.ts';
import { Refusal } from '../../../packages/mock/src/http/refusal.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const { mock, world } = createMockWithKey({ data: 'minimal', maxLogBytes: 4_096 }, 'key-of-the-fuzzer');
const start = mock.snapshot();
const before = JSON.stringify(mock.dump());

/** Nothing is delivered over a network here. */
const delivered = async (): Promise<Response> => new Response(null, { status: 204 });

const checkRefusal = (error: unknown): void => {
  // The server turns any other error into a 400 as well, which hides a bug.
  hold(error instanceof Refusal || error instanceof MockError, `threw ${error}`);
  hold(error.message !== '' && error.message.length < 5_000, 'an empty or a long message');
};

/** Each pair of lines is a request: the method and the path below `/__mock/` with its query, and the body. */
export const target: Target = {
  checks:
    'Up to four control requests in a row: refused by name, or answered as the schema of the endpoint says; whatever they did, the rows load into another mock, and a reset brings back the start',
  maxBytes: 1_200,
  work: (bytes) => 120_000 + 3_000 * bytes,
  words: [
    'POST rows/leads',
    'POST rows/conversations',
    'POST faults',
    'POST keys',
    'POST clock',
    'POST webhooks/endpoints',
    'POST snapshots',
    'POST inbound',
    'POST requests/verify',
    'PATCH rows/leads/',
    '"advanceMs":',
    '"phone":"+442079460958"',
    '\n',
  ],
  run: async (input) => {
    const lines = Buffer.from(input).toString('utf8').split('\n').slice(0, 8);
    const context = { mock, world, apiKey: mock.apiKey, start, snapshots: new Snapshots() };
    const { fetch } = globalThis;
    globalThis.fetch = delivered;
    try {
      for (let at = 0; at < lines.length; at += 2) {
        const [method = '', target = ''] = (lines[at] ?? '').split(' ');
        const [path = '', search = ''] = target.split('?');
        try {
          const { control, params } = matchControl(CONTROLS, { method, path }, []);
          const checked = {
            params,
            query: checkControlQuery(control, search),
            body: checkControlBody(control, lines[at + 1] ?? ''),
            baseUrl: 'http://127.0.0.1:4010',
          };
          const { data, meta } = await control.run(context, checked);
          // As it arrives at the caller.
          const sent = JSON.parse(JSON.stringify({ data, meta }));
          hold(control.data.safeParse(sent.data).success, `the data of ${control.id} breaks its schema`);
          hold(!control.meta || control.meta.safeParse(sent.meta).success, `the meta of ${control.id}`);
        } catch (error) {
          checkRefusal(error);
        }
      }
      // Loading takes longer than everything else.
      if (input.length % 16 === 0) {
        const after = mock.dump();
        same(createMockWithKey({ data: after }).mock.dump(), after, 'the rows in another mock');
      }
    } finally {
      globalThis.fetch = fetch;
      mock.reset();
    }
    same(JSON.stringify(mock.dump()), before, 'the rows after a reset');
  },
};
