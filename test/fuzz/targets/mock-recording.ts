/**
 * Recordings of `--forward --record`: no key and nothing personal in the file, wherever the service puts it; the file loads
 * into a mock with all its faults.
 */
import { operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import { dataIn } from '../../../packages/mock/src/cli/data-file.ts';
import { Recording } from '../../../packages/mock/src/cli/forward/record/recording.ts';
import { planFault } from '../../../packages/mock/src/control/plan-fault.ts';
import { operationIds } from '../contract.ts';
import { assert, checkHidden, define, fc, nearJsonText, parsed } from '../kit.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
/** Values of a person. No part of the contract contains them. */
const PERSONAL = ['ZeldaQuux', 'q.zelda@example.org', '2079460958'];
/** An id stays as it is. Its digits may happen to be those of the phone number. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

const lead = `{"id":"ID","pipelineId":"ID","phone":"+442079460958","displayName":"ZeldaQuux","email":"q.zelda@example.org","source":"ZeldaQuux","status":"new","createdAt":"2026-01-31T12:00:00.000Z"}`;
const message = '{"id":"ID","conversationId":"ID","content":"ZeldaQuux wrote","direction":"inbound"}';
const BODIES = [
  '{}',
  '{"phone":"+442079460958","displayName":"ZeldaQuux"}',
  `{"success":true,"data":${lead}}`,
  `{"success":true,"data":[${lead}],"meta":{"total":1,"limit":20,"offset":0}}`,
  `{"success":true,"data":{"id":"ID","leadId":"ID","channel":"ZeldaQuux","status":"open","messages":[${message}]}}`,
  `{"success":false,"error":"ZeldaQuux has it: ${KEY}","code":"ALREADY_EXISTS"}`,
  '"<title>q.zelda@example.org</title>"',
].map((text) => parsed(text.replaceAll('ID', '22222222-2222-4222-8222-222222222222')));
const TOKENS = `${KEY} ${PERSONAL.join(' ')} +442079460958 displayName data error code channel content \\u005aeldaQuux`;
const text = nearJsonText(BODIES, TOKENS);

export const target = define(
  fc.record({
    id: fc.constantFrom(...operationIds),
    status: fc.oneof(fc.constantFrom(200, 201, 409), fc.integer({ min: 200, max: 599 })),
    headers: fc.constantFrom(
      {},
      { 'retry-after': '5' },
      { 'content-type': 'text/html', 'x-note': `ZeldaQuux ${KEY}` },
    ),
    sent: text,
    received: text,
  }),
  async ({ id, status, headers, sent, received }) => {
    const operation = operations[id];
    const { method, path } = operation;
    const query = { values: {}, repeated: [] };
    const request = { route: { id, operation, params: {} } as never, index: 0, method, path, query };
    const record = (keepPersonalData: boolean): string => {
      const recording = new Recording({ keepPersonalData });
      recording.add({
        request: { ...request, body: sent },
        outcome: { kind: 'reply', status, headers: new Headers(headers), bytes: Buffer.from(received) },
      });
      return JSON.stringify(recording.data([KEY]));
    };
    const recorded = record(false);
    checkHidden(recorded, [KEY]);
    checkHidden(recorded.replaceAll(UUID, ''), PERSONAL);
    checkHidden(record(true), [KEY]);
    const { rows, faults } = await dataIn('recording.json', recorded);
    const mock = createMock({ data: rows });
    for (const plan of faults) {
      planFault(mock.faults, plan);
    }
    assert.equal(mock.faults.planned.length, faults.length);
  },
);
