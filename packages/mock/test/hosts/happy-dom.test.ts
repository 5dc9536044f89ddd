// @vitest-environment happy-dom
import { testsInAPage } from '../support/in-a-page.ts';

testsInAPage();
