import { ConfabError } from './confab-error.ts';

/** Where the user's code called the client. The runtime formats its stack only if something fails. */
export type CallSite = Error;

/** Lines of such a stack that are the client's own: in V8 the name `Error` and one frame, elsewhere two frames. */
const OWN_LINES = 2;

/**
 * Adds the caller's frames to the stack of an error: an error thrown after a response arrived has none of them. Only
 * errors of this package are changed: the reason of an abort belongs to the caller.
 */
export const addCallSite = (error: unknown, site: CallSite): unknown => {
  if (error instanceof ConfabError && error.stack !== undefined && site.stack !== undefined) {
    for (const frame of site.stack.split('\n').slice(OWN_LINES)) {
      // An error thrown during the call itself, or reported twice, already has the frames.
      if (!error.stack.includes(frame)) {
        error.stack += `\n${frame}`;
      }
    }
  }
  return error;
};
