-- One change of a game, or its beginning.
-- KEYS: head, log, records
-- ARGV: request id, record, milliseconds to keep all, channel, expected version, revision and SHA-1 of the snapshot
--       (all empty: the game begins), version, snapshot; then of each item its version and its bytes
-- Returns a verdict, version, revision and the record, if one was there.
-- The first write is one that Redis refuses when it is out of memory or only a replica; after it none is refused.

local record = redis.call('HGET', KEYS[3], ARGV[1])
local head = redis.call('HMGET', KEYS[1], 'version', 'revision', 'items', 'snapshot')
local version, revision = head[1] or 0, head[2] or 0
local begins = ARGV[5] == ''

if record then
  return {'REPEATED', version, revision, record}
elseif begins then
  if head[1] or redis.call('EXISTS', KEYS[3]) == 1 then
    return {'CONFLICT', version, revision}
  end
elseif not head[1] then
  return {'MISSING', version, revision}
elseif version ~= ARGV[5] or revision ~= ARGV[6] or redis.sha1hex(head[4]) ~= ARGV[7] then
  return {'CONFLICT', version, revision}
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local at = string.format('%.0f', now)

-- A log's id is "version-number": Redis itself takes none twice and none that is not after the last.
local newest, items = head[1], tonumber(head[3] or 0)
for i = 10, #ARGV, 2 do
  if ARGV[i] ~= newest then
    newest, items = ARGV[i], 0
  end
  items = items + 1
  redis.call('XADD', KEYS[2], newest .. '-' .. items, 'at', at, 'data', ARGV[i + 1])
end

redis.call('HSET', KEYS[1], 'version', ARGV[8], 'snapshot', ARGV[9], 'items', items)
if begins then
  redis.call('HSET', KEYS[1], 'origin', ARGV[9])
end
revision = redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])

local until_then = string.format('%.0f', now + ARGV[3])
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, until_then)
end
redis.call('PUBLISH', ARGV[4], ARGV[8])
return {'DONE', ARGV[8], revision}
