-- What a new game's request id is bound to: "milliseconds:bytes", now and for every later claim.
-- KEYS: claim
-- ARGV: bytes, milliseconds to keep them

local clock = redis.call('TIME')
local claim = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000)) .. ':' .. ARGV[1]
if redis.call('SET', KEYS[1], claim, 'NX', 'PX', ARGV[2]) then
  return claim
end
return redis.call('GET', KEYS[1])
