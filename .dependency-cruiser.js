/**
 * The direction of imports, for `depcruise` (`pnpm lint`). In each list, whatever stands higher may import what stands
 * lower, never the other way round, and no files import each other in a circle. Imports of types count as well.
 */
const layers = {
  client: [
    ['cli/'],
    ['index.ts', 'opentelemetry/', 'ky/', 'redis/'],
    ['client.ts'],
    ['resources/'],
    ['lists/'],
    ['call/'],
    ['options/'],
    ['rate-limit/'],
    ['hooks/'],
    ['secrecy/'],
    ['errors/'],
    ['time/'],
    ['contract/'],
    ['runtime/'],
  ],
  webhooks: [
    ['index.ts'],
    ['cli/'],
    ['adapters/', 'postgres/', 'redis/'],
    ['create-webhooks.ts'],
    ['receive.ts'],
    ['options.ts'],
    ['queue.ts'],
    ['handlers.ts'],
    ['event.ts'],
    ['standard-schema.ts'],
    ['dedupe/'],
    ['detect/'],
    ['signature/'],
    ['decompress.ts'],
    ['headers.ts', 'body.ts'],
    ['option-checks.ts', 'run-in-time.ts'],
    ['errors.ts'],
  ],
  mock: [
    ['index.ts'],
    ['cli/'],
    ['playwright/', 'vitest/'],
    ['matchers/'],
    ['server/', 'remote/', 'upstream/'],
    ['control/'],
    ['(?!index\\.)[^/]+\\.ts'],
    ['hosts/', 'http/'],
    ['request/'],
    ['operations/'],
    ['world/[^/]+\\.ts'],
    ['world/webhooks/'],
    ['world/store/', 'world/resources/', 'world/faults/', 'world/keys/', 'world/log/'],
    ['world/clock/', 'world/matching/'],
    ['errors/'],
  ],
};

/** Matches the files of a layer; a folder's name ends with a slash. */
const files = (name, layer) =>
  layer.map((path) => `^packages/${name}/src/${path}${path.endsWith('/') ? '' : '$'}`);

/** One rule for each layer: it imports nothing that stands above it. */
const direction = Object.entries(layers).flatMap(([name, order]) =>
  order.slice(1).map((layer, index) => ({
    name: `${name}: ${layer.join(', ')} imports nothing above it`,
    severity: 'error',
    from: { path: files(name, layer) },
    to: {
      path: order.slice(0, index + 1).flatMap((above) => files(name, above)),
      pathNot: files(name, layer),
    },
  })),
);

export default {
  forbidden: [
    ...direction,
    {
      name: 'the inspector imports the routes and the types of the mock, and nothing else of it',
      severity: 'error',
      from: { path: '^packages/mock/inspector/src/' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: '^packages/mock/src/control/routes\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the client and the webhooks package import no other package of this repository, but what is internal',
      severity: 'error',
      from: { path: '^packages/(client|webhooks|internal)/src/' },
      to: { path: '^packages/', pathNot: ['^packages/$1/', '^packages/internal/'] },
    },
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    ...['from', 'to'].map((end) => ({
      name: `every file that imports something, or is imported, has its layer (${end})`,
      comment: 'Add the folder to the lists of .dependency-cruiser.js.',
      severity: 'error',
      from: {},
      to: {},
      [end]: {
        path: '^packages/(client|webhooks|mock)/src/',
        pathNot: Object.entries(layers).flatMap(([name, order]) =>
          order.flatMap((layer) => files(name, layer)),
        ),
      },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['node_modules', '/dist/', '^test/compat/openapi/generated/'] },
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@confab/source', 'import', 'require', 'node', 'default'],
    },
    tsPreCompilationDeps: true,
  },
};
