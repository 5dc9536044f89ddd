import { namesOf } from '@confab/internal';
import { checkNames } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { existing } from '../errors/refusal.ts';
import type { MockReply } from '../world/world.ts';
import type { Handlers } from './operation.ts';

/** A rule of thumb: a token is about four characters. */
const tokensOf = (text: string): number => Math.ceil([...text].length / 4);

const FIELDS = namesOf<Exclude<MockReply, string>>({
  text: true,
  tokensIn: true,
  tokensOut: true,
  latencyMs: true,
});

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a reply: tests are not always typed. */
const toReply = (given: MockReply): Exclude<MockReply, string> => {
  const reply = typeof given === 'string' ? { text: given } : given;
  if (typeof reply?.text === 'string') {
    checkNames('agents.respond() field', reply, FIELDS);
    return reply;
  }
  throw invalidArgument(`agents.respond() must return a string or { text, … }, got ${JSON.stringify(given)}`);
};

export const agents: Handlers<'agents'> = {
  'agents.list': ({ store, behavior }) => ({
    data: [...store.agents.page({}, { order: behavior.order['agents.list'] }).rows],
  }),

  'agents.invoke': async ({ store, clock, respond }, { params, body }) => {
    const agent = existing(store.agents.get(params.id), `No agent has the id ${params.id}`);
    const began = clock.now();
    const { text, tokensIn, tokensOut, latencyMs } = toReply(await respond(agent, body.userMessage));
    return {
      data: {
        text,
        tokensIn: tokensIn ?? tokensOf(body.userMessage),
        tokensOut: tokensOut ?? tokensOf(text),
        latencyMs: latencyMs ?? Math.round(clock.now() - began),
      },
    };
  },
};
