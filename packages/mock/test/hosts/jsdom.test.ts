// @vitest-environment jsdom
import { testsInAPage } from '../support/in-a-page.ts';

testsInAPage();
