// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { testsInAPage } from '../support/in-a-page.ts';

testsInAPage();
