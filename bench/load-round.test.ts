import { afterEach, expect, test } from 'vitest';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { percentile, runLoad } from './load-round.js';
import { requestText } from './requests.js';
import type { LoadPlan } from './load-plan.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function planFor(answer: RequestListener): Promise<LoadPlan> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    kind: 'load',
    port: address.port,
    connections: 4,
    warmUpSeconds: 0.05,
    seconds: 0.2,
    serverPid: process.pid,
    requests: ['/a', '/b'].map((path) => requestText('x.localhost', { method: 'GET', path })),
  };
}

test('counts what was answered, over as many connections as asked, with every request in turn', async () => {
  const seen = new Set<string>();
  const ports = new Set<number | undefined>();
  const plan = await planFor((request, reply) => {
    seen.add(`${request.headers.host ?? ''}${request.url ?? ''}`);
    ports.add(request.socket.remotePort);
    reply.end('ok');
  });
  const result = await runLoad(plan);
  expect([...seen].sort()).toEqual(['x.localhost/a', 'x.localhost/b']);
  expect(ports.size).toBe(4);
  expect(result.replies).toBeGreaterThan(0);
  expect(result.failures).toBe(0);
  expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
});

test('a mark becomes another number in each request, also of the next round', async () => {
  const seen: (string | undefined)[] = [];
  const plan = await planFor((request, reply) => {
    seen.push(request.url);
    reply.end('ok');
  });
  const path = '/files/{number}';
  const requests = [requestText('x.localhost', { method: 'GET', path })];
  const marked = { ...plan, requests, numberMark: '{number}' };
  await runLoad(marked);
  const ofFirstRound = seen.length;
  await runLoad(marked);
  expect(seen.length).toBeGreaterThan(ofFirstRound);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((url) => !/^\/files\/\d+$/.test(url ?? ''))).toEqual([]);
});

test('a reply that is not 2xx is a failure and never a reply', async () => {
  const plan = await planFor((_, reply) => {
    reply.statusCode = 503;
    reply.end('no');
  });
  const result = await runLoad(plan);
  expect(result.replies).toBe(0);
  expect(result.failures).toBeGreaterThan(0);
  expect(result.failureStatus).toBe(503);
});

test('a connection that the server closes ends the round', async () => {
  const plan = await planFor((request) => request.socket.destroy());
  await expect(runLoad(plan)).rejects.toThrow();
});

test.each([
  { share: 0.5, of: [1, 2, 3, 4], is: 3 },
  { share: 0.99, of: [1, 2, 3, 4], is: 4 },
  { share: 0.5, of: [], is: 0 },
])('percentile $share of $of is $is', ({ share, of, is }) => {
  expect(percentile(Float64Array.from(of), share)).toBe(is);
});
