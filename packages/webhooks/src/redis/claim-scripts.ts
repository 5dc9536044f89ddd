/*
 * A key holds `completed`, or `running:` and the token of the run. Each script uses one key alone, so a cluster finds the
 * node by itself, and no command of another process comes between two commands of a script.
 */

/**
 * Key: the delivery. Arguments: token, lease in milliseconds. Returns the state that the claim has found. What another
 * program has written is returned as it is, and the receiver refuses it.
 *
 * Clients send a command again if the connection was lost before its reply. A claim that finds its own token has
 * therefore succeeded already.
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
