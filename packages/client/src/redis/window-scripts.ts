/**
 * The window is a sorted set with one member for each place, scored with the time at which the place becomes free, in
 * milliseconds by the clock of Redis. The name of a place ends with the milliseconds for which it was taken and a number.
 * The pause is stored as the time at which it ends, and its length.
 *
 * The line is a sorted set of the processes that wait for a place, scored with the time at which each must ask again: when
 * the place of its turn becomes free. Without the line, all of them would ask for each place that becomes free.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
`;

/** Milliseconds of the longest lease and of the longest pause: 30 days. */
export const MAX_TIME = 2_592_000_000;

/** Milliseconds after which a process that has not come for its turn loses its place in the line: it may have died. */
const GRACE = 1_000;

/**
 * Detects times further in the future than these scripts write, even if a failover has moved the clock of Redis. Another
 * program wrote such a time, which may be `inf`, and it would stop all processes silently.
 */
const CHECK_TIME = `
local function isOurs(time)
  return time and time < now + ${2 * MAX_TIME}
end
local function foreign(key)
  return redis.error_reply('ERR another program has written the key ' .. key)
end
`;

/** Returns the end and the length of a pause, as {@link PAUSE} writes them; nil for the text of another program. */
const READ_PAUSE = `
local function readPause(text)
  if not text then
    return 0, 0
  end
  local untilThen, ms = string.match(text, '^(%d+%.?%d*):(%d+%.?%d*)$')
  return tonumber(untilThen), tonumber(ms)
end
`;

/**
 * Keys: window, pause, line. Arguments: requests, length of the window, count, lease, name of the places, id of the process.
 * Returns the number of places that were granted, the milliseconds to wait for more, the milliseconds until the end of a
 * pause, and 1 if times were in the future.
 *
 * Places are taken and pauses begin now at the latest, and processes wait for at most a window. A later time means that the
 * clock of Redis has stepped back, or that a backup was restored on a machine whose clock is behind. Such places and pauses
 * are moved to now, because they would stop all processes until that time. Such processes lose their place in the line,
 * because dead ones would keep it until then; the others ask again.
 */
export const TAKE = `${NOW}${CHECK_TIME}${READ_PAUSE}
local moved = 0
local pausedUntil, pauseMs = readPause(redis.call('GET', KEYS[2]))
if not isOurs(pausedUntil) then
  return foreign(KEYS[2])
end
if pausedUntil > now + pauseMs + 1 then
  moved = 1
  pausedUntil = now + pauseMs
  redis.call('SET', KEYS[2], pausedUntil .. ':' .. pauseMs, 'PX', math.ceil(pauseMs))
end
if pausedUntil > now then
  return { 0, math.ceil(pausedUntil - now), math.ceil(pausedUntil - now), moved }
end
local requests, perMs, count, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ${GRACE})
for _, key in ipairs({ KEYS[1], KEYS[3] }) do
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  if last[2] and not isOurs(tonumber(last[2])) then
    return foreign(key)
  end
end
local top = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
while top[2] do
  local life = tonumber(string.match(top[1], ':(%d+):%d+$')) or lease + perMs
  if tonumber(top[2]) <= now + life + 1 then
    break
  end
  moved = 1
  redis.call('ZADD', KEYS[1], now + math.min(perMs, life), top[1])
  top = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
end
if redis.call('ZREMRANGEBYSCORE', KEYS[3], now + perMs + 1, '+inf') > 0 then
  moved = 1
end
if count == 0 then
  return { 0, 0, 0, moved }
end
local taken = redis.call('ZCARD', KEYS[1])
local free = math.max(0, requests - taken)
local rank = redis.call('ZRANK', KEYS[3], ARGV[6])
local others = redis.call('ZCARD', KEYS[3]) - (rank and 1 or 0)
-- One place is reserved for each process in the line whose time has come. No place is free yet for the others.
local due = redis.call('ZCOUNT', KEYS[3], '-inf', now)
local granted = 0
local ahead = rank or others
if free > math.min(ahead, due) then
  granted = math.min(count, math.max(1, free - others))
  redis.call('ZREM', KEYS[3], ARGV[6])
  -- For more places, it goes to the end of the line.
  ahead = others
end
for place = 1, granted do
  redis.call('ZADD', KEYS[1], now + lease + perMs, ARGV[5] .. place)
end
local life = math.ceil(lease + perMs)
-- Other places may have longer leases.
if redis.call('PTTL', KEYS[1]) < life then
  redis.call('PEXPIRE', KEYS[1], life)
end
if granted == count then
  return { granted, 0, 0, moved }
end
local turn = math.max(0, ahead - (free - granted))
local place = redis.call('ZRANGE', KEYS[1], turn, turn, 'WITHSCORES')
-- A request in progress frees its place one window after its end, so no sooner than one window from now.
local wait = math.min((tonumber(place[2]) or math.huge) - now, perMs)
if free > granted and ahead <= due then
  -- The processes ahead may never come for their reserved places.
  wait = math.min(wait, ${GRACE})
end
redis.call('ZADD', KEYS[3], now + wait, ARGV[6])
redis.call('PEXPIRE', KEYS[3], math.ceil(perMs) + ${2 * GRACE})
return { granted, math.ceil(wait), 0, moved }
`;

/** Keys: window. Arguments: place, length of the window, 1 when the request counts. */
export const RELEASE = `${NOW}
if ARGV[3] == '1' then
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
  local life = math.ceil(tonumber(ARGV[2]))
  if redis.call('PTTL', KEYS[1]) < life then
    redis.call('PEXPIRE', KEYS[1], life)
  end
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return 1
`;

/** Keys: pause. Arguments: milliseconds. */
export const PAUSE = `${NOW}${READ_PAUSE}
local untilThen = now + ARGV[1]
if untilThen > (readPause(redis.call('GET', KEYS[1])) or 0) then
  redis.call('SET', KEYS[1], untilThen .. ':' .. ARGV[1], 'PX', ARGV[1])
end
return 1
`;
