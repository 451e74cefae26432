import { expect, test } from 'vitest';
import { deploymentConnections } from './database.js';
import { parseEnv } from './env.js';

test.each([
  { name: 'one process runs everything', env: {}, connections: 100 },
  {
    name: 'three API processes, one of which is the worker',
    env: { API_PROCESSES: '3' },
    connections: 300,
  },
  {
    name: 'a worker beside three API processes',
    env: { API_PROCESSES: '3', ROLES: 'console,worker' },
    connections: 400,
  },
])('the platform needs $connections connections: $name', ({ env, connections }) => {
  expect(deploymentConnections(parseEnv(env))).toBe(connections);
});
