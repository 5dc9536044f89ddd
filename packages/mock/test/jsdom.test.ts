// @vitest-environment jsdom
import { testsInAPage } from './in-a-page.ts';

testsInAPage();
