import { freePort as anyFreePort } from '#libs/postgres-server';

const given = new Set<number>();
/** Each test process takes ports with a remainder of its own, so that two processes rarely choose the same port. */
const shares = 16;
const share = process.pid % shares;

/** Returns a free port of this machine, a different one each time. */
export async function freePort(): Promise<number> {
  let port = await anyFreePort();
  while (given.has(port) || port % shares !== share) port = await anyFreePort();
  given.add(port);
  return port;
}
