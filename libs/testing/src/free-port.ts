import { freePort as anyFreePort } from '#libs/postgres-server';

const given = new Set<number>();
/** Test files that run at the same time take ports that leave different remainders. */
const shares = 16;
const share = Number(process.env['JEST_WORKER_ID'] ?? 0) % shares;

/** A port of this machine that nobody listens on now, and another one each time. */
export async function freePort(): Promise<number> {
  let port = await anyFreePort();
  while (given.has(port) || port % shares !== share) port = await anyFreePort();
  given.add(port);
  return port;
}
