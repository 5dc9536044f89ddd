// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { testsInAPage } from './in-a-page.ts';

testsInAPage();
