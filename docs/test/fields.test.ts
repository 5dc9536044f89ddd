import api from '@confab/client/openapi.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';

/** The keys of a part of the document that matter here. */
interface Part {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly enum?: readonly unknown[];
}

/** Finds the names of all fields and parameters, and the known values, in a part and in the schemas that it refers to. */
const wordsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { $ref, in: place, name, properties = {}, enum: known = [], ...rest } = value as Part;
  const target = $ref
    ?.split('/')
    .slice(1)
    .reduce<unknown>((part, key) => part?.[key as never], api);
  return [
    ...(place === 'query' && name !== undefined ? [name] : []),
    ...Object.keys(properties),
    ...known.map(String),
    ...[target, ...Object.values(properties), ...Object.values(rest)].flatMap(wordsIn),
  ];
};

/** The fields that all responses share. The guides explain them once, not for each resource. */
const SHARED: readonly string[] = ['success', 'data', 'meta', 'error', 'code'];

const GUIDES = {
  conversations: ['conversations', 'paging'],
  leads: ['leads', 'paging'],
  agents: ['agents', 'paging'],
  analytics: ['funnel'],
  webhooks: ['webhooks'],
} as const;

const partsOf = (resource: string): unknown[] =>
  [...Object.values(api.paths), ...Object.values(api.webhooks)]
    .flatMap((path) => Object.values(path))
    .filter(({ tags }) => (tags as string[]).includes(resource))
    .map(({ parameters, requestBody, responses }) => [parameters, requestBody, responses]);

test.for(Object.entries(GUIDES))('the guide of %s explains every field and value', ([resource, guides]) => {
  const words = new Set(partsOf(resource).flatMap(wordsIn));
  const text = guides.map((guide) => read(`docs/guides/${guide}.md`)).join('\n');
  const explained = [...words].filter((word) => !SHARED.includes(word));
  expect(explained.length).toBeGreaterThan(2);
  expect(explained.filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
});

test('every resource of the API has a guide', () => {
  expect(Object.keys(GUIDES).sort()).toEqual(api.tags.map(({ name }) => name).sort());
});

test('the guides explain the fields that all responses share', () => {
  const guides = ['errors', 'paging', 'custom-requests']
    .map((guide) => read(`docs/guides/${guide}.md`))
    .join('\n');
  expect(SHARED.filter((word) => !new RegExp(`\`[^\`\n]*\\b${word}\\b[^\`\n]*\``).test(guides))).toEqual([]);
});
