import { freePort as anyFreePort } from '#libs/postgres-server';

const given = new Set<number>();
/** Two processes of tests rarely choose among the same ports: each takes those with a remainder of its own. */
const shares = 16;
const share = process.pid % shares;

/** A port of this machine that nobody listens on now, and another one each time. */
export async function freePort(): Promise<number> {
  let port = await anyFreePort();
  while (given.has(port) || port % shares !== share) port = await anyFreePort();
  given.add(port);
  return port;
}
