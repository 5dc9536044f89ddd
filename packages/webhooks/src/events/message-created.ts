import type { StandardIssue, StandardSchema } from './standard-schema.ts';

/** The data of a `message.created` event. Fields that the service adds later are kept, but have no type. */
export interface MessageCreated {
  /** The id of the conversation that the message belongs to. */
  readonly conversationId: string;
  /** The channel of the conversation. */
  readonly channel: string;
  /** The text of the message. */
  readonly body: string;
}

const FIELDS = ['conversationId', 'channel', 'body'] as const;

/**
 * Validates the data of a `message.created` event.
 *
 * It is written by hand, because a schema library would be 40 % of this package in a bundle: docs/decisions/0202.
 *
 * @example
 * ```ts
 * const { issues } = await MessageCreatedSchema['~standard'].validate(data);
 * ```
 */
export const MessageCreatedSchema: StandardSchema<unknown, MessageCreated> = {
  '~standard': {
    version: 1,
    vendor: 'confab',
    validate: (value) => {
      const data = (value ?? {}) as Record<string, unknown>;
      const issues: StandardIssue[] = [];
      for (const field of FIELDS) {
        if (typeof data[field] !== 'string') {
          issues.push({ message: 'must be a string', path: [field] });
        }
      }
      return issues.length === 0 ? { value: value as MessageCreated } : { issues };
    },
  },
};
