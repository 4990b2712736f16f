-- The newest state of a game and the record of a request, both of one moment.
-- KEYS: head, records
-- ARGV: request id

local head = redis.call('HMGET', KEYS[1], 'version', 'revision', 'snapshot')
return {head[1], head[2], head[3], redis.call('HGET', KEYS[2], ARGV[1])}
