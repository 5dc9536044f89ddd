import { GUIDES } from '../../docs/guides.ts';

const pages = (...guides: readonly string[]): string[] => [
  'errors.md',
  ...guides.map((guide) => `guides/${guide}.md`),
];

/** The pages of `docs/` that each package contains, at the same paths, for readers of `node_modules`. */
export const PACKED_DOCS: Readonly<Record<string, readonly string[]>> = {
  client: pages(...GUIDES.Start, ...GUIDES['Call the API'], ...GUIDES['How calls behave'], 'open-questions'),
  webhooks: pages(...GUIDES.Webhooks),
  mock: pages(...GUIDES.Testing, 'open-questions'),
};
