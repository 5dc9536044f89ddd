import * as z from 'zod/mini';
import { invalid } from '../../errors/refusal.ts';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperation } from '../control-operation.ts';
import { ClockSchema, described, MomentSchema } from '../schemas.ts';

/** The clock of the mock. */
export const clock: readonly ControlOperation[] = [
  controlOperation('clock.get', {
    summary: 'Returns the time on the clock of the mock, and whether it passes by itself.',
    data: ClockSchema,
    run: ({ mock, world }) => ({
      data: { now: new Date(mock.clock.now()).toISOString(), kind: world.clock.kind },
    }),
  }),
  controlOperation('clock.move', {
    summary: 'Moves the virtual clock forward, by milliseconds or to a date.',
    body: z.strictObject({
      advance: described(z.optional(z.number()), 'Milliseconds to move by.'),
      set: described(z.optional(z.string()), 'The date to move to: an RFC 3339 date-time, or a day.'),
    }),
    data: MomentSchema,
    async run({ mock, world }, { body: { advance, set } }) {
      if ((advance === undefined) === (set === undefined)) {
        throw invalid(
          `body must have either \`advance\` (milliseconds) or \`set\` (a date), got ${set === undefined ? 'neither' : 'both'}`,
        );
      }
      if (world.clock.kind === 'system') {
        throw invalid(
          'The clock of this mock is that of the machine, and only a virtual one can be moved. Start it with --clock virtual, or create a world with {"clock":"virtual"}.',
        );
      }
      await (set === undefined ? mock.clock.advance(advance ?? 0) : mock.clock.set(set));
      return { data: { now: new Date(mock.clock.now()).toISOString() } };
    },
  }),
];
