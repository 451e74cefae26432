import { freePort as anyFreePort } from '#libs/postgres-server';

const given = new Set<number>();

/** A port of this machine that nobody listens on now, and another one each time. */
export async function freePort(): Promise<number> {
  let port = await anyFreePort();
  while (given.has(port)) port = await anyFreePort();
  given.add(port);
  return port;
}
