/** What each example of the playground prints, by its file. */
export const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  'wait-out-a-429': [
    '0 s: created +447700900001',
    '0 s: created +447700900002',
    '60 s: created +447700900003',
    '60 s: created +447700900004',
    '120 s: created +447700900005',
    'Responses: 201, 201, 429, 201, 201, 201',
  ],
  'paging-while-writing': ['Updated 250 leads; 0 are still new.', 'Pages read: 4'],
  'forged-delivery': [
    'Received: Hello',
    '200',
    'Refused: SIGNATURE_MISMATCH',
    '401',
    'Refused: SIGNATURE_MISMATCH',
    '401',
  ],
  'retries-and-faults': [
    '60 leads, after 503, no response, 200',
    'ServerError 500, after 1 attempt',
    'created',
  ],
  'bulk-import': [
    'Row 0: created, +442079460001',
    'Row 1: existing, +442079460002',
    'Row 2: existing, +442079460001',
    'Row 3: failed, BadRequestError',
    '2 leads in the service',
  ],
  'agent-conversation': [
    'Lead: Do you deliver on Sundays?',
    'Us: You asked "Do you deliver on Sundays?" Yes, we do.',
    '2 messages in the conversation',
    'message.created delivered, message.created delivered',
  ],
};
