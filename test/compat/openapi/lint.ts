import type { RunningMock } from './mock.ts';
import { DOCUMENT, runTool } from './tool.ts';

/** Lints the published document, and the one that the mock serves. */
export const lint = async (mock: RunningMock): Promise<void> => {
  await runTool('redocly', ['lint', '--extends=recommended-strict', DOCUMENT, await mock.document()]);
};
