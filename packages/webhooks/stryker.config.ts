import { mutantsOf } from '../../stryker.shared.ts';

export default mutantsOf('webhooks', ['packages/webhooks/src/{bytes,dedupe,receive,signature}/*.ts']);
