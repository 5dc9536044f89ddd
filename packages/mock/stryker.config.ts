import type { MutantGroup } from '../../stryker.shared.ts';

const src = 'packages/mock/src';

export default [
  { mutate: [`${src}/server/admin.ts`], tests: ['admin-access', 'admin'] },
  {
    mutate: [`${src}/world/keys/*.ts`, 'packages/internal/src/sliding-window.ts'],
    tests: [
      'keys',
      'internal/test/sliding-window',
      'strict',
      'misspelled',
      'limits',
      'sliding-window',
      'restore',
    ],
  },
  {
    mutate: [`${src}/world/store/{collection,row-check,store,table}.ts`],
    tests: ['store', 'misspelled', 'collections', 'isolation', 'operations', 'strict', 'restore', 'lists'],
  },
] satisfies MutantGroup[];
