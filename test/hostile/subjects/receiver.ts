/** A receiver of webhooks with the options that most users have. `argv[2]` names the framework. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { becomeSubject } from '../subject.ts';

const webhooks = createWebhooks({ secret: 'a secret of the check', signature: { header: 'x-signature' } });
const server = createServer(toNodeHandler(webhooks));
server.listen(0, '127.0.0.1', () => {
  becomeSubject((server.address() as AddressInfo).port, async () => 'nothing to do');
});
