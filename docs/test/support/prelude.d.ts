/**
 * Names that code blocks use and do not declare: what an earlier block of the same page made, and what stands for the
 * reader's own code.
 */
import type { Confab, Conversation, Lead, LeadCreate } from '@confab/client';
import type { Mock } from '@confab/mock';
import type { MessageCreated, SignatureOptions, Webhooks } from '@confab/webhooks';

declare global {
  // Imported or made by an earlier block.
  const setupServer: typeof import('msw/node').setupServer;
  const confab: Confab;
  const mock: Mock;
  const webhooks: Webhooks;

  // Values that the reader has.
  const id: string;
  const phone: string;
  const url: string;
  const secret: string;
  const signature: SignatureOptions;
  const body: string;
  const headers: Headers;
  const data: MessageCreated;
  const error: unknown;
  const lead: Lead;
  const key: string;
  const conversationId: string;
  const method: string;
  const request: { readonly method: string; readonly headers: Headers; readonly rawBody: string };
  const signal: AbortSignal;
  const thousandLeads: readonly LeadCreate[];
  const rows: AsyncIterable<LeadCreate>;

  // The reader's own code.
  const greet: (lead: Lead) => Promise<void>;
  const qualify: (confab: Confab, id: string) => Promise<void>;
  const signUp: (confab: Confab, phone: string) => Promise<void>;
  const importAll: (confab: Confab, leads: readonly LeadCreate[]) => Promise<void>;
  const yourCode: (options: { baseUrl: string; apiKey: string }) => Promise<void>;
  const readSecret: (name: string) => Promise<string>;
  const show: (conversation: Conversation) => void;
  const report: (...facts: unknown[]) => void;
  const requeueIn: (ms: number) => void;
  const metrics: { increment(name: string): void; count(name: string, labels: object): void };
  const app: {
    post(path: string, handler: unknown): void;
    register(plugin: unknown, options: object): Promise<void>;
  };
  const createServer: typeof import('node:http').createServer;

  // The test runner's.
  const test: typeof import('vitest').test;
  const expect: typeof import('vitest').expect;
  const beforeAll: typeof import('vitest').beforeAll;
  const afterAll: typeof import('vitest').afterAll;
}
