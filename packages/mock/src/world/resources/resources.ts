import type { Collection } from '../store/collection.ts';
import { agents } from './agents.ts';
import { conversations } from './conversations.ts';
import { leads } from './leads.ts';
import { messages } from './messages.ts';
import type { ResourceName } from './names.ts';
import { pipelines } from './pipelines.ts';
import type { AnyResource, Resource } from './resource.ts';

/** All kinds of rows. The comments document the properties of a mock and of its data. */
export const RESOURCES = {
  /** The pipelines of leads and conversations. Rows without a `pipelineId` belong to the first one. */
  pipelines,
  /** The leads, with their notes. */
  leads,
  /** The conversations, with or without a lead. */
  conversations,
  /** The messages of all conversations. A new message sets `lastMessageAt` of its conversation, unless that is later. */
  messages,
  /** The agents, which can be invoked. */
  agents,
} satisfies Readonly<Record<ResourceName, AnyResource>>;

type Resources = typeof RESOURCES;

/** The type of the rows of each resource. */
export type MockRows = {
  readonly [Name in keyof Resources]: Resources[Name] extends Resource<infer T, infer _> ? T : never;
};

/** The fields from which a row of each resource is created. */
export type MockInits = {
  readonly [Name in keyof Resources]: Resources[Name] extends Resource<infer _, infer Init> ? Init : never;
};

/** The collection of each kind. */
export type Collections = {
  readonly [Name in keyof Resources]: Collection<MockRows[Name], MockInits[Name]>;
};
