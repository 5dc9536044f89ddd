/*
 * The value of a key is `completed`, or `running:` and the token of the run. Each script uses a single key, so a cluster
 * finds the right node. Redis runs a script as a whole, so no command of another process comes in between.
 */

/**
 * Key: the delivery. Arguments: token, lease in milliseconds. Returns the state of the key. A value that another program
 * has written is returned unchanged, and the receiver refuses it.
 *
 * If the connection is lost before the reply, clients send a command again. A claim that finds its own token has therefore
 * succeeded before.
 */
export const CLAIM = `
local state = redis.call('GET', KEYS[1])
local mine = 'running:' .. ARGV[1]
if state and state ~= mine then
  return string.match(state, '^(running):') or state
end
redis.call('SET', KEYS[1], mine, 'PX', ARGV[2])
return 'claimed'
`;

/** Key: the delivery. Arguments: milliseconds to remember it. */
export const COMPLETE = `
redis.call('SET', KEYS[1], 'completed', 'PX', ARGV[1])
return 1
`;

/** Key: the delivery. Arguments: token. Another run may have claimed the key after the lease of this one. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == 'running:' .. ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1
`;
