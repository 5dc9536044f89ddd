import { anyValue, objectOf, typeName } from '@confab/internal';
import { formatValue, isString, throwIfInvalid } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { MockReply } from '../world/world.ts';
import type { Handlers } from './operation.ts';

/** Estimates the tokens of a text: about one for four characters. */
const estimateTokens = (text: string): number => Math.ceil([...text].length / 4);

type FullReply = Exclude<MockReply, string>;

const isReply = objectOf<FullReply>(
  'an object',
  { text: isString, tokensIn: anyValue, tokensOut: anyValue, latencyMs: anyValue },
  ['text'],
);

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when the value is not a reply: tests may be JavaScript. */
const toReply = (given: MockReply): FullReply => {
  const reply = typeof given === 'string' ? { text: given } : given;
  if (typeName(reply) !== 'an object') {
    throw invalidArgument(`agents.respond() must return a string or { text, … }, got ${formatValue(reply)}.`);
  }
  throwIfInvalid(isReply('agents.respond()', reply));
  return reply;
};

export const agents: Handlers<'agents'> = {
  'agents.list': ({ store, behavior }) => ({
    data: [...store.agents.table.page({}, { order: behavior.order['agents.list'] }).rows],
  }),

  'agents.invoke': async ({ clock, respond }, { row: agent, body }) => {
    const began = clock.now();
    const { text, tokensIn, tokensOut, latencyMs } = toReply(await respond(agent, body.userMessage));
    return {
      data: {
        text,
        tokensIn: tokensIn ?? estimateTokens(body.userMessage),
        tokensOut: tokensOut ?? estimateTokens(text),
        latencyMs: latencyMs ?? Math.round(clock.now() - began),
      },
    };
  },
};
