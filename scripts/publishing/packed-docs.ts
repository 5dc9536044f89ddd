import { GUIDES } from '../../docs/guides.ts';

const ofWebhooks: readonly string[] = ['webhooks', 'failed-deliveries'];
const ofMock: readonly string[] = ['testing', 'test-runners', 'mock-server', 'control-endpoints'];
const ofClient = Object.values(GUIDES)
  .flat()
  .filter((guide) => ![...ofWebhooks, ...ofMock].includes(guide));

const pages = (guides: readonly string[]): string[] => [
  'errors.md',
  ...guides.map((guide) => `guides/${guide}.md`),
];

/** Which pages of `docs/` each package brings along, below the same paths, for those who read it in `node_modules`. */
export const PACKED_DOCS: Readonly<Record<string, readonly string[]>> = {
  client: pages(ofClient),
  webhooks: pages(ofWebhooks),
  mock: pages(ofMock),
};
