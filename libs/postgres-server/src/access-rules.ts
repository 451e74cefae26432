// Who may connect to the embedded server, and from where (pg_hba.conf).
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from './placement.js';

/**
 * The platform connects over the Unix socket, whose folder no other system user can open. Code of a project can change
 * the password of a platform login of that project, so over TCP the server accepts logins of owners alone, whatever the
 * password. A project can neither create nor rename a role. A name that begins with a slash is a regular expression
 * (PostgreSQL manual §20.1).
 */
export const accessRules = `# Rowhouse writes this file at each start of the server.
# TYPE  DATABASE  USER       ADDRESS       METHOD
local   all       all                      scram-sha-256
host    all       /_owner$   127.0.0.1/32  scram-sha-256
host    all       /_owner$   ::1/128       scram-sha-256
host    all       all        all           reject
`;

/**
 * Writes the rules and returns the file, for the setting `hba_file`. The `pg_hba.conf` of the cluster stays as initdb
 * has made it, so that an earlier release, which connects over TCP, can start with this data folder again.
 */
export async function writeAccessRules({ clusterDir }: Placement): Promise<string> {
  const file = join(clusterDir, 'pg_hba.conf');
  await writeFile(file, accessRules);
  // The user of PostgreSQL reads it, whatever the umask of this process.
  await chmod(file, 0o644);
  return file;
}
