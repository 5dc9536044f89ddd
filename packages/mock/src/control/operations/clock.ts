import * as z from 'zod/mini';
import { invalid } from '../../errors/refusal.ts';
import type { ControlContext, ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { ClockSchema, described, NowSchema } from '../schemas.ts';

/** The time on the clock of a mock. */
export const nowOf = ({ mock }: Pick<ControlContext, 'mock'>): z.output<typeof NowSchema> => ({
  now: new Date(mock.clock.now()).toISOString(),
});

/** The same, and what makes it pass. */
export const clockOf = (context: ControlContext): z.output<typeof ClockSchema> => ({
  ...nowOf(context),
  kind: context.world.clock.kind,
});

/** The clock of the mock. */
export const clock: readonly ControlOperation[] = [
  controlOperation('clock.get', {
    summary: 'Returns the time on the clock of the mock, and whether it passes by itself.',
    data: ClockSchema,
    run: clockOf,
  }),
  controlOperation('clock.move', {
    summary: 'Moves the virtual clock forward, by milliseconds or to a date.',
    body: z.strictObject({
      advance: described(z.optional(z.number()), 'Milliseconds to move by.'),
      set: described(z.optional(z.string()), 'The date to move to: an RFC 3339 date-time, or a day.'),
    }),
    data: NowSchema,
    async run({ mock, world }, { body: { advance, set } }) {
      if ((advance === undefined) === (set === undefined)) {
        throw invalid(
          `body must have either \`advance\` (milliseconds) or \`set\` (a date), got ${set === undefined ? 'neither' : 'both'}`,
        );
      }
      if (world.clock.kind === 'system') {
        throw invalid(
          'This mock uses the system clock, and only a virtual clock can be moved. Start it with --clock virtual, or create a world with {"clock":"virtual"}.',
        );
      }
      await (set === undefined ? mock.clock.advance(advance ?? 0) : mock.clock.set(set));
      return nowOf({ mock });
    },
  }),
];
