import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: 'mock',
      // Some tests start processes, on machines that have other things to do.
      expect: { poll: { timeout: 10_000 } },
    },
  }),
);
