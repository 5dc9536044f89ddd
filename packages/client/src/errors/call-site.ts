import { ConfabError } from './index.ts';

/** Where the user's code called: an error whose stack is formatted only when something fails. */
export type CallSite = Error;

/** Lines of such a stack that are the client's own: in V8 the name `Error` and one frame, elsewhere two frames. */
const OWN_LINES = 2;

/**
 * Adds the caller's frames to the stack of an error: what is thrown after a response has come has none of its own.
 * Anything but an error of this package is left alone: the reason of an abort is the caller's.
 */
export const addCallSite = (error: unknown, site: CallSite): unknown => {
  if (error instanceof ConfabError && error.stack !== undefined && site.stack !== undefined) {
    for (const frame of site.stack.split('\n').slice(OWN_LINES)) {
      // An error thrown while the call was being made has them already, and one that is given twice.
      if (!error.stack.includes(frame)) {
        error.stack += `\n${frame}`;
      }
    }
  }
  return error;
};
