import { hashKey } from './hash-key.js';
import type { RateLimiter } from '#libs/wire';

import { distinctUses, verdictOf } from './rate-limiter.js';

/** The methods of a Redis client that the limiter needs, as `ioredis` provides them. The caller owns and closes it. */
export interface LimiterRedis {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  del(keys: string[]): Promise<number>;
}

// A script runs alone, so counting and giving the key its end are one step. Answers uses and milliseconds left
// of every key, one after the other.
const CONSUME = `
  local counts = {}
  for index, key in ipairs(KEYS) do
    local uses = redis.call('incr', key)
    if uses == 1 then redis.call('pexpire', key, ARGV[index]) end
    counts[2 * index - 1] = uses
    counts[2 * index] = redis.call('pttl', key)
  end
  return counts`;

// A key that has expired meanwhile is not created again: it would never expire.
const GIVE_BACK = `
  for _, key in ipairs(KEYS) do
    if tonumber(redis.call('get', key) or '0') > 0 then redis.call('decr', key) end
  end`;

/**
 * A limiter in Redis, shared by all processes and exact across them. Each call is one command. Keys expire with their
 * window.
 */
export function createRedisLimiter(redis: LimiterRedis, prefix: string): RateLimiter {
  // The braces keep the keys of a project on one node of a cluster, which a script needs.
  const keyOf = (key: string) => `{${prefix}}:${hashKey(key)}`;
  return {
    async consume(given) {
      const uses = distinctUses(given);
      if (uses.length === 0) return verdictOf([]);
      const keys = uses.map(({ key }) => keyOf(key));
      const lengths = uses.map(({ rule }) => String(Math.ceil(rule.windowSeconds * 1000)));
      const counts = parseCounts(await redis.eval(CONSUME, keys.length, ...keys, ...lengths));
      return verdictOf(
        uses.map((use, index) => {
          const [count, msLeft] = [counts[2 * index], counts[2 * index + 1]];
          if (count === undefined || msLeft === undefined) {
            throw new Error('Redis counted a key but did not return its count');
          }
          return { use, uses: count, msLeft };
        }),
      );
    },
    async reset(keys) {
      if (keys.length > 0) await redis.del(keys.map(keyOf));
    },
    async giveBack(keys) {
      const named = [...new Set(keys.map(keyOf))];
      if (named.length > 0) await redis.eval(GIVE_BACK, named.length, ...named);
    },
  };
}

function parseCounts(answer: unknown): readonly number[] {
  if (!Array.isArray(answer)) throw new Error('Redis did not return a list of counts');
  return answer.map(Number);
}
