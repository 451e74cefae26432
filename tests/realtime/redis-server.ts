// A Redis server of a test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { freePort } from '#libs/testing';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--save', '', '--bind', '127.0.0.1'];
  const redis: ChildProcess = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of redis.stdout ?? []) if (String(line).includes('Ready to accept')) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      redis.kill('SIGKILL');
      await once(redis, 'exit');
    },
  };
}
