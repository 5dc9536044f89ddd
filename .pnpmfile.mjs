/** Tests and examples read the source of our packages through this export condition; tarballs have no source. */
const SOURCE = '@confab/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

export const hooks = {
  beforePacking: (manifest) => ({
    ...manifest,
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([path, target]) => [path, withoutSource(target)]),
    ),
  }),
};
