import { quoted } from '@confab/internal';
import { counted } from '../errors/check.ts';
import { newValues, OPEN_ENUMS } from '../world/store/rows.ts';
import type { MockData } from '../world/store/store.ts';

/** More warnings would hide the banner. */
const MOST = 5;

/**
 * Finds values that the contract does not list. They are warnings, because a real service may add values, and clients have
 * to be tested with new ones.
 */
export const unknownValues = (path: string, data: MockData): string[] => {
  const found = Object.entries(OPEN_ENUMS).flatMap(([list, enums]) =>
    (data[list as keyof MockData] ?? []).flatMap((row, at) =>
      newValues(row, enums).map(
        ({ field, value, hint }) =>
          `${path}: ${list}[${at}].${field} has the value ${quoted(value)}, which is not in the contract. ${hint}`,
      ),
    ),
  );
  const more = found.length - MOST;
  return more > 0
    ? [
        ...found.slice(0, MOST),
        `${path}: ${counted(more, 'more value is', 'more values are')} not in the contract`,
      ]
    : found;
};
