import { LastingClient } from '#libs/postgres-client';
import { DataSource } from 'typeorm';
import { AuditEntry } from './entities/audit-entry.entity.js';
import { Membership } from './entities/membership.entity.js';
import { OperatorInvitation } from './entities/operator-invitation.entity.js';
import { Operator } from './entities/operator.entity.js';
import { Organization } from './entities/organization.entity.js';
import { ProjectDomain } from './entities/project-domain.entity.js';
import { ProjectKey } from './entities/project-key.entity.js';
import { Project } from './entities/project.entity.js';
import { SnakeCase } from './snake-case.js';

/** Every table of the control plane that is read through TypeORM. */
const ENTITIES = [
  AuditEntry,
  Membership,
  Operator,
  OperatorInvitation,
  Organization,
  Project,
  ProjectDomain,
  ProjectKey,
];

const maxConnections = 8;
const connectMs = 10_000;

/** Opens a connection pool to the control-plane database. The caller destroys it. */
export async function openDataSource(url: string): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: ENTITIES,
    namingStrategy: new SnakeCase(),
    poolSize: maxConnections,
    connectTimeoutMS: connectMs,
    // Options of the pool itself.
    extra: { Client: LastingClient },
    applicationName: 'rowhouse control plane',
    synchronize: false,
    logging: false,
  });
  return dataSource.initialize();
}
