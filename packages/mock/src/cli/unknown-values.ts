import {
  ConversationPrioritySchema,
  ConversationStatusSchema,
  LeadStatusSchema,
  MessageDirectionSchema,
  SenderTypeSchema,
} from '@confab/client/contract';
import { closestName, quoted } from '@confab/internal';
import type { MockData } from '../world/store/store.ts';

type Fields = Readonly<Record<string, { readonly options: readonly string[] }>>;

/** The fields to which the service may add values, with those that the contract lists. */
const OPEN: Readonly<Partial<Record<keyof MockData, Fields>>> = {
  leads: { status: LeadStatusSchema },
  conversations: { status: ConversationStatusSchema, priority: ConversationPrioritySchema },
  messages: { senderType: SenderTypeSchema, direction: MessageDirectionSchema },
};

/** More warnings would hide the banner. */
const MOST = 5;

const hintFor = (value: string, options: readonly string[]): string => {
  const meant = closestName(value, options);
  return meant === undefined ? `Known: ${options.join(', ')}.` : `Did you mean ${meant}?`;
};

/**
 * Finds values that the contract does not list. They are warnings, because a real service may add values, and clients have
 * to be tested with new ones.
 */
export const unknownValues = (path: string, data: MockData): string[] => {
  const found = Object.entries(OPEN).flatMap(([list, fields]) =>
    (data[list as keyof MockData] ?? []).flatMap((row, at) =>
      Object.entries(fields).flatMap(([field, { options }]) => {
        const value: unknown = Reflect.get(row, field);
        return typeof value === 'string' && !options.includes(value)
          ? [
              `${path}: ${list}[${at}].${field} has the value ${quoted(value)}, which is not in the contract. ${hintFor(value, options)}`,
            ]
          : [];
      }),
    ),
  );
  const more = found.length - MOST;
  return more > 0 ? [...found.slice(0, MOST), `${path}: ${more} more values are not in the contract`] : found;
};
