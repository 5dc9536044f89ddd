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

/** Milliseconds after which a process that has not asked when its turn came loses its place in the line: it may have died. */
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
  local pauseEnd, ms = string.match(text, '^(%d+%.?%d*):(%d+%.?%d*)$')
  return tonumber(pauseEnd), tonumber(ms)
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
local window, pause, line = KEYS[1], KEYS[2], KEYS[3]
local requests, perMs, count, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local batch, process = ARGV[5], ARGV[6]
local moved = 0

-- Returns the member with the latest time, and this time.
local function latest(key)
  local entry = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  return entry[1], tonumber(entry[2])
end

-- Moves places of the future to now, and removes processes of the future from the line.
local function repairTimes()
  local place, freeAt = latest(window)
  while place do
    local life = tonumber(string.match(place, ':(%d+):%d+$')) or lease + perMs
    if freeAt <= now + life + 1 then
      break
    end
    moved = 1
    redis.call('ZADD', window, now + math.min(perMs, life), place)
    place, freeAt = latest(window)
  end
  if redis.call('ZREMRANGEBYSCORE', line, now + perMs + 1, '+inf') > 0 then
    moved = 1
  end
end

local function addPlaces(granted)
  for number = 1, granted do
    redis.call('ZADD', window, now + lease + perMs, batch .. number)
  end
  local life = math.ceil(lease + perMs)
  -- Other places may have longer leases.
  if redis.call('PTTL', window) < life then
    redis.call('PEXPIRE', window, life)
  end
end

-- Puts the process into the line behind others, and returns the milliseconds until its turn.
local function joinLine(ahead, reserved, left)
  local turn = math.max(0, ahead - left)
  local place = redis.call('ZRANGE', window, turn, turn, 'WITHSCORES')
  -- A request in progress frees its place one window after its end, so no sooner than one window from now.
  local wait = math.min((tonumber(place[2]) or math.huge) - now, perMs)
  if left > 0 and ahead <= reserved then
    -- The processes ahead may never come for their reserved places.
    wait = math.min(wait, ${GRACE})
  end
  redis.call('ZADD', line, now + wait, process)
  redis.call('PEXPIRE', line, math.ceil(perMs) + ${2 * GRACE})
  return wait
end

local pauseEnd, pauseMs = readPause(redis.call('GET', pause))
if not isOurs(pauseEnd) then
  return foreign(pause)
end
if pauseEnd > now + pauseMs + 1 then
  moved = 1
  pauseEnd = now + pauseMs
  redis.call('SET', pause, pauseEnd .. ':' .. pauseMs, 'PX', math.ceil(pauseMs))
end
if pauseEnd > now then
  return { 0, math.ceil(pauseEnd - now), math.ceil(pauseEnd - now), moved }
end
redis.call('ZREMRANGEBYSCORE', window, '-inf', now)
redis.call('ZREMRANGEBYSCORE', line, '-inf', now - ${GRACE})
for _, key in ipairs({ window, line }) do
  local member, time = latest(key)
  if member and not isOurs(time) then
    return foreign(key)
  end
end
repairTimes()
if count == 0 then
  return { 0, 0, 0, moved }
end
local free = math.max(0, requests - redis.call('ZCARD', window))
local rank = redis.call('ZRANK', line, process)
local others = redis.call('ZCARD', line) - (rank and 1 or 0)
local ahead = rank or others
-- One place is reserved for each process in the line whose time has come. No place is free yet for the others.
local reserved = redis.call('ZCOUNT', line, '-inf', now)
local granted = 0
if free > math.min(ahead, reserved) then
  granted = math.min(count, math.max(1, free - others))
  redis.call('ZREM', line, process)
  -- For more places, it goes to the end of the line.
  ahead = others
end
addPlaces(granted)
if granted == count then
  return { granted, 0, 0, moved }
end
local wait = joinLine(ahead, reserved, free - granted)
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
local pauseEnd = now + ARGV[1]
if pauseEnd > (readPause(redis.call('GET', KEYS[1])) or 0) then
  redis.call('SET', KEYS[1], pauseEnd .. ':' .. ARGV[1], 'PX', ARGV[1])
end
return 1
`;
