import { operations } from '../../../packages/client/src/contract/index.ts';
import type { OperationId } from '../../../packages/client/src/contract/types/index.ts';
import { dataIn } from '../../../packages/mock/src/cli/rows-file.ts';
import { planFault } from '../../../packages/mock/src/control/plan-fault.ts';
import { createMock } from '../../../packages/mock/src/create-mock.ts';
import { Recording } from '../../../packages/mock/src/forward/record/recording.ts';
import { readMessage, toHeaders } from '../engine/message.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
/** Values of a person. No part of the contract contains them. */
const PERSONAL = ['zeldaquux', 'q.zelda@example.org', '2079460958'];
/** An id stays as it is. Its digits may happen to be those of the phone number. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const ids = Object.keys(operations) as OperationId[];

const record = (input: Uint8Array, keepPersonalData: boolean) => {
  const message = readMessage(input);
  const [status, at] = message.line.split(' ');
  const id = ids[Number(at) % ids.length] ?? 'leads.get';
  const operation = operations[id];
  const [sent = '', received = sent] = message.body.toString('utf8').split('\n\n');
  const recording = new Recording({ keepPersonalData });
  recording.add({
    request: {
      route: { id, operation, params: {} } as never,
      index: 0,
      method: operation.method,
      path: operation.path,
      query: { values: {}, repeated: [] },
      body: sent,
    },
    outcome: {
      kind: 'reply',
      status: Math.min(599, Math.max(200, Math.trunc(Number(status)) || operation.status)),
      headers: toHeaders(message),
      bytes: Buffer.from(received),
    },
  });
  return recording.data([KEY]);
};

/** The first line is a status and the number of an operation. The bodies of request and response follow the headers. */
export const target: Target = {
  checks:
    'Recordings of `--forward --record`: no key and nothing personal in the file, wherever the service puts it; the file loads into a mock with all its faults',
  maxBytes: 1_500,
  work: (bytes) => 60_000 + 6_000 * bytes,
  words: [
    KEY,
    'ZeldaQuux',
    'q.zelda@example.org',
    '+442079460958',
    '"displayName":"',
    '"data":[',
    '"success":true',
    '"success":false',
    '"code":"',
    '"error":"',
    '"channel":"',
  ],
  run: async (input) => {
    const text = JSON.stringify(record(input, false));
    hold(!text.toLowerCase().includes(KEY.toLowerCase()), 'the key is in the recording');
    const checked = text.replaceAll(UUID, '').toLowerCase();
    const found = PERSONAL.filter((value) => checked.includes(value));
    same(found, [], 'personal values in the recording');
    const kept = JSON.stringify(record(input, true));
    hold(!kept.toLowerCase().includes(KEY.toLowerCase()), 'the key is in the recording with personal data');

    const { rows, faults } = await dataIn('recording.json', text);
    const mock = createMock({ data: rows });
    for (const plan of faults) {
      planFault(mock.faults, plan);
    }
    same(mock.faults.planned.length, faults.length, 'planned faults');
  },
};
