/** Run after the build: replaces the declarations that the compiler emitted for `contract/types.ts`. */
import { rmSync, writeFileSync } from 'node:fs';
import { declareTypes } from './declare-types.ts';

const path = 'dist/contract/types.d.ts';
writeFileSync(path, declareTypes());
rmSync(`${path}.map`, { force: true });
