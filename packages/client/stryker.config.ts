import { mutantsOf } from '../../stryker.shared.ts';

export default mutantsOf('client', [
  'packages/client/src/{pagination,rate-limit,rate-limit/shared,retry,secrecy}/*.ts',
  'packages/client/src/options/base-url.ts',
  'packages/client/src/transport/{read-body,read-response,read-outcome/*}.ts',
  'packages/internal/src/secrecy/*.ts',
]);
