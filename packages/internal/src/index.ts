export { builtinModule } from './builtin-module.ts';
export { closestName } from './closest-name.ts';
export { CONNECTION_HEADERS } from './connection-headers.ts';
export { docsUrlOf } from './docs-url.ts';
export { createGrowingBuffer } from './growing-buffer.ts';
export { isLoopback } from './is-loopback.ts';
export { pathName, valueAt } from './issue-path.ts';
export { listenProblem } from './listen-problem.ts';
export { onAbort, rejectOnAbort } from './on-abort.ts';
export type { Check, Checks } from './option-problem.ts';
export {
  anyValue,
  checkThat,
  integerFrom,
  isBoolean,
  isFunction,
  millisecondsFrom,
  objectOf,
  oneOf,
  optionProblem,
  orFalse,
  showValue,
} from './option-problem.ts';
export { pathProblem } from './path-problem.ts';
export { watchRedisErrors } from './redis-errors.ts';
export { isRedisClient, runRedisScript } from './run-redis-script.ts';
export { escapeInvisible, oneLine } from './secrecy/one-line.ts';
export type { Redact } from './secrecy/redact.ts';
export { createRedact } from './secrecy/redact.ts';
export { createSlidingWindow } from './sliding-window.ts';
export { guessName, suggestNameOrSynonym } from './synonyms.ts';
export { suggestNames, unknownNames } from './unknown-names.ts';
export { hasMethods, isDate, isError, isObject, isPlainObject, remedyFor, typeName } from './values.ts';
export { writeJson } from './write-json.ts';
