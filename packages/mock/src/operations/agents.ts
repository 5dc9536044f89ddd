import { notFound } from '../request/refusal.ts';
import { unlessAborted } from '../world/unless-aborted.ts';
import type { Handlers } from './operation-handler.ts';

/** The usual rule of thumb: a token is about four characters. */
const tokensOf = (text: string): number => Math.ceil([...text].length / 4);

export const agents: Handlers<'agents'> = {
  'agents.list': ({ store }) => ({ data: [...store.agents.find()] }),

  'agents.invoke': async ({ store, clock, respond }, { params, body, signal }) => {
    const agent = store.agents.get(params.id);
    if (agent === undefined) throw notFound(`No agent has the id ${params.id}`);
    const began = clock.now();
    const reply = await unlessAborted(respond(agent, body.userMessage), signal);
    const { text, tokensIn, tokensOut, latencyMs } =
      typeof reply === 'string'
        ? { text: reply, tokensIn: undefined, tokensOut: undefined, latencyMs: undefined }
        : { tokensIn: undefined, tokensOut: undefined, latencyMs: undefined, ...reply };
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
