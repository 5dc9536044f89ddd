import type { Usage } from './meter.ts';
import { beginUsage } from './meter.ts';

/** What a subject's process is asked: to start or stop measuring, or to do something of its own. */
export type Question =
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' }
  | { readonly kind: 'do'; readonly what: string; readonly url: string };

/** Its answers, in the order of the questions. The first message of all is its port, or 0. */
export type Reply = { readonly port: number } | { readonly usage: Usage } | { readonly outcome: string };

const send = (reply: Reply): void => {
  process.send?.(reply);
};

/** Makes this process a subject: it serves or calls, and measures itself when asked. */
export const becomeSubject = (port: number, act: (what: string, url: string) => Promise<string>): void => {
  let end: (() => Usage) | undefined;
  process.on('message', async (question: Question) => {
    if (question.kind === 'begin') {
      end = beginUsage();
      send({ outcome: 'begun' });
    } else if (question.kind === 'end') {
      send({ usage: end?.() ?? { memory: Number.NaN, stall: Number.NaN, work: Number.NaN } });
    } else {
      send({ outcome: await act(question.what, question.url) });
    }
  });
  process.on('disconnect', () => process.exit());
  send({ port });
};
