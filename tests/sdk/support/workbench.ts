// What the tests of our own client work with: a project that has all the tables, and the way to it.
import { type ClientOptions, createClient, type RowhouseClient } from '#libs/sdk';

import { Deployment } from '../../support/deployment.js';
import type { ProjectUnderTest } from '../../support/project.js';
import type { Database } from './client-database.js';
import { type Gateway, openGateway } from './gateway.js';
import { observatorySql } from './observatory.js';
import { emptyShipyardSql, shipyardSql } from './shipyard.js';
import { emptyShopSql, shopSql } from './shop.js';

export type OwnClient = RowhouseClient<Database>;

export interface Workbench {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly gateway: Gateway;
  /** A client that sends over the gateway with the global `fetch`. */
  client(key?: string, options?: ClientOptions): OwnClient;
  /** A client without a `Database` type, for what the types would not let through. */
  untypedClient(key?: string, options?: ClientOptions): RowhouseClient;
  /** Takes back what tests wrote. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(): Promise<Workbench> {
  const deployment = await Deployment.shared();
  const project = await deployment.createProject();
  await project.sql(observatorySql + shipyardSql + shopSql + emptyShopSql);
  const gateway = await openGateway(project);
  return {
    deployment,
    project,
    gateway,
    client: (key, options) => createClient<Database>(gateway.url, key, options),
    untypedClient: (key, options) => createClient(gateway.url, key, options),
    async empty() {
      await project.sql(emptyShipyardSql + ';' + emptyShopSql);
    },
    async close() {
      await gateway.close();
      await deployment.close();
    },
  };
}
