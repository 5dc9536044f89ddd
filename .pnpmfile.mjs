/** Tests and examples read the source of our packages through this export condition; tarballs have no source. */
const SOURCE = '@confab/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

/** Where the project lives is known to the workflow that releases it, and written nowhere else. */
const links = (name) => {
  const repository = process.env.GITHUB_REPOSITORY;
  if (!repository) {
    return {};
  }
  const url = `${process.env.GITHUB_SERVER_URL ?? 'https://github.com'}/${repository}`;
  const directory = `packages/${name.replace('@confab/', '')}`;
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory },
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: `${url}/issues`,
  };
};

export const hooks = {
  // Users neither install our tools nor run our scripts.
  beforePacking: ({ devDependencies: _tools, scripts: _scripts, ...manifest }) => ({
    ...manifest,
    ...links(manifest.name),
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([path, target]) => [path, withoutSource(target)]),
    ),
  }),
};
