-- All commands of the other scripts and of the store itself, of which none may be forbidden; nothing is left.
-- KEYS: a key that nothing else uses
-- ARGV: a channel

local key = KEYS[1]
redis.call('TIME')
redis.call('UNLINK', key)
-- Without the key, none of these changes anything.
redis.call('EXISTS', key)
redis.call('GET', key)
redis.call('HGET', key, 'field')
redis.call('HMGET', key, 'field')
redis.call('XRANGE', key, '-', '+')
redis.call('ZRANDMEMBER', key, 1)
redis.call('ZREVRANGEBYLEX', key, '+', '-')
redis.call('PEXPIRE', key, 1000)
redis.call('PEXPIREAT', key, 1000)
redis.call('ZADD', key, 'XX', 0, 'member')
redis.call('ZREM', key, 'member')
redis.call('XADD', key, 'NOMKSTREAM', '1-1', 'field', '')
redis.call('HSET', key, 'field', 0)
redis.call('HINCRBY', key, 'field', 1)
redis.call('UNLINK', key)
redis.call('PUBLISH', ARGV[1], '')
return 1
