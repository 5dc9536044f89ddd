import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { buildAsyncApiDocument, buildDocument } from '../src/openapi/index.ts';
import { objectSchemas } from '../src/openapi/named-schemas.ts';

type Json = Record<string, unknown>;

interface Message {
  readonly name: string;
  readonly contentType: string;
  readonly headers: { properties: Record<string, Json>; required: string[] };
  readonly payload: { $ref: string };
  readonly examples: { headers: Json; payload: Json }[];
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly action: string;
  readonly channel: Reference;
  readonly messages: Reference[];
  readonly reply: { messages: Reference[] };
}

/** As tools read it: values that JSON cannot express are gone. */
const asJson = <T>(value: object): T => JSON.parse(JSON.stringify(value)) as T;

const asyncApi = asJson<{
  asyncapi: string;
  info: Json;
  operations: Record<string, Operation>;
  channels: Record<string, { address: null; messages: Record<string, Reference> }>;
  components: Record<string, Json>;
}>(buildAsyncApiDocument());

interface Post {
  readonly operationId: string;
  readonly parameters: { name: string; schema: { pattern: string }; example: string }[];
  readonly requestBody: { content: Record<string, { schema: Reference; example: Json }> };
  readonly responses: Record<string, { description: string }>;
}

const openApi = asJson<{
  info: Json;
  webhooks: Record<string, { post: Post }>;
  components: { schemas: Json };
}>(buildDocument());

/** Follows references until there is none. */
const resolve = <T>({ $ref }: Reference): T => {
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json)[key], asyncApi);
  expect(found, $ref).toBeDefined();
  const next = (found as Reference).$ref;
  return next === undefined ? (found as T) : resolve({ $ref: next });
};

test('asyncapi.json matches the contract', async () => {
  const committed: unknown = JSON.parse(await readFile(new URL('../asyncapi.json', import.meta.url), 'utf8'));
  expect(committed, 'run `pnpm --filter @confab/client openapi`').toEqual(asyncApi);
});

test('each event of the contract is in both documents, and no other', () => {
  const names = [...objectSchemas.values()].flatMap(({ shape }) => {
    const { event } = shape as { event?: { def: { values?: unknown[] } } };
    return event?.def.values ?? [];
  });
  expect(names).toContain('message.created');
  expect(Object.keys(openApi.webhooks)).toEqual(names);
  const operations = Object.values(asyncApi.operations);
  expect(
    operations.flatMap(({ messages }) => messages.map((message) => resolve<Message>(message).name)),
  ).toEqual(names);
});

test('both describe the same signed request and the same responses', () => {
  for (const { post } of Object.values(openApi.webhooks)) {
    const { action, channel, messages, reply } = asyncApi.operations[post.operationId]!;
    expect(action).toBe('send');
    expect(resolve(channel)).toMatchObject({ address: null });
    const { headers, payload, contentType, examples } = resolve<Message>(messages[0]!);
    const body = post.requestBody.content[contentType];
    expect(payload).toEqual(body?.schema);
    const [{ name, schema, example } = { name: '', schema: { pattern: '' }, example: '' }] = post.parameters;
    expect(headers.required).toEqual([name]);
    expect(headers.properties[name]).toMatchObject(schema);
    expect(examples).toMatchObject([{ headers: { [name]: example }, payload: body?.example }]);
    expect(example).toMatch(new RegExp(schema.pattern));

    const responses = reply.messages.map((message) => resolve<{ description: string }>(message).description);
    const documented = Object.values(post.responses).map(({ description }) => description);
    expect(responses.toSorted()).toEqual(documented.toSorted());
  }
});

test('they share the schemas of events, the title, the version and the contact', () => {
  const { schemas } = asyncApi.components;
  expect(Object.keys(schemas ?? {})).toEqual(
    expect.arrayContaining(['MessageCreatedEvent', 'MessageCreated']),
  );
  expect(openApi.components.schemas).toMatchObject(schemas ?? {});
  const { title, version, contact } = openApi.info;
  expect(asyncApi).toMatchObject({ asyncapi: '3.0.0', info: { title, version, contact } });
});

test('every reference resolves, and every component is used', () => {
  const text = JSON.stringify(asyncApi);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref = '']) => $ref);
  for (const $ref of references) {
    resolve({ $ref });
  }
  const components = Object.entries(asyncApi.components).flatMap(([kind, values]) =>
    Object.keys(values).map((name) => `#/components/${kind}/${name}`),
  );
  expect(components.filter((name) => !references.includes(name))).toEqual([]);
});

test('the examples fit the schemas of the payload and of the headers, and a changed one does not', () => {
  const { components } = asyncApi;
  const ajv = new Ajv({ strict: false }).addSchema({ components }, 'document');
  for (const { messages } of Object.values(asyncApi.operations)) {
    const { headers, payload, examples } = resolve<Message>(messages[0]!);
    const validate = ajv.compile({ $ref: `document${payload.$ref}` });
    const validateHeaders = ajv.compile(headers);
    for (const example of examples) {
      expect([validate(example.payload), validateHeaders(example.headers)]).toEqual([true, true]);
      expect(validate({ ...example.payload, event: 'other' })).toBe(false);
      expect(validate({ ...example.payload, data: {} })).toBe(false);
      expect(validateHeaders({})).toBe(false);
    }
  }
});
