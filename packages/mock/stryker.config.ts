import { mutantsOf } from '../../stryker.shared.ts';

export default mutantsOf('mock', [
  'packages/mock/src/world/keys/*.ts',
  'packages/mock/src/world/store/{collection,row-check,store,table}.ts',
  'packages/mock/src/server/admin.ts',
  'packages/internal/src/sliding-window.ts',
]);
