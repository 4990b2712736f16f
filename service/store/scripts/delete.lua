-- A game is deleted; the record of that stays.
-- KEYS: head, log, records
-- ARGV: request id, record, milliseconds to keep it, channel
-- Returns a verdict, version, revision and the record, if one was there.

local record = redis.call('HGET', KEYS[3], ARGV[1])
local head = redis.call('HMGET', KEYS[1], 'version', 'revision')
local version, revision = head[1] or 0, head[2] or 0

if record then
  return {'REPEATED', version, revision, record}
elseif not head[1] then
  return {'MISSING', version, revision}
end

redis.call('UNLINK', unpack(KEYS))
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
redis.call('PUBLISH', ARGV[4], version)
return {'DONE', version, revision}
