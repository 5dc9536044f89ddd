import { serve } from '../../dist/server/index.js';
import { mock } from './page.ts';

mock.keys.create({ key: 'confab_live_bench' });
const { url } = await serve(mock);
console.log(url);
