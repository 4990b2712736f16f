-- Both snapshots in other bytes, if nothing has changed; whether they are there now.
-- KEYS: head
-- ARGV: expected version, expected revision, expected snapshot, new snapshot, new first snapshot

local head = redis.call('HMGET', KEYS[1], 'version', 'revision', 'snapshot')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or (head[3] ~= ARGV[3] and head[3] ~= ARGV[4]) then
  return 0
end
redis.call('HSET', KEYS[1], 'snapshot', ARGV[4], 'origin', ARGV[5])
return 1
