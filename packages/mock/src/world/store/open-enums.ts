import {
  ConversationPrioritySchema,
  ConversationStatusSchema,
  LeadStatusSchema,
  MessageDirectionSchema,
  SenderTypeSchema,
} from '@confab/client/contract';
import { closestName } from '@confab/internal';

/** The fields of a row to which the service may add values, with those that the contract lists. */
export type OpenEnums = Readonly<Record<string, { readonly options: readonly string[] }>>;

/** The open enums of each collection. */
export const OPEN_ENUMS: Readonly<Partial<Record<string, OpenEnums>>> = {
  leads: { status: LeadStatusSchema },
  conversations: { status: ConversationStatusSchema, priority: ConversationPrioritySchema },
  messages: { senderType: SenderTypeSchema, direction: MessageDirectionSchema },
};

/** A value that the contract does not list. */
export interface NewValue {
  readonly field: string;
  readonly value: string;
  /** The value that was probably meant, or those that there are, in a sentence. */
  readonly hint: string;
}

/** Finds the values in a row that the contract does not list. */
export const newValues = (row: object, enums: OpenEnums = {}): NewValue[] =>
  Object.entries(enums).flatMap(([field, { options }]) => {
    const value: unknown = Reflect.get(row, field);
    if (typeof value !== 'string' || options.includes(value)) {
      return [];
    }
    const meant = closestName(value, options);
    const hint = meant === undefined ? `Known: ${options.join(', ')}.` : `Did you mean ${meant}?`;
    return [{ field, value, hint }];
  });
