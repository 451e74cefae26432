// A control plane on a PostgreSQL server of its own, which the tests of a file hold up or restart.
import { afterAll, beforeAll } from 'vitest';

import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { type ControlPlaneFixture, openFixture } from './control-plane-fixture.js';

export interface OwnControlPlane {
  readonly server: OwnServer;
  readonly fixture: ControlPlaneFixture;
}

/** Opens it before the tests of the file, and closes it after them. */
export function useOwnControlPlane(onOpen: (opened: OwnControlPlane) => void): void {
  let server: OwnServer | undefined;
  let fixture: ControlPlaneFixture | undefined;
  beforeAll(async () => {
    server = await openOwnServer();
    fixture = await openFixture(server.url);
    onOpen({ server, fixture });
  }, 120_000);
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  }, 60_000);
}
