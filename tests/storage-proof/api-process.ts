// The program of a child process that serves the API of a deployment until it is killed. Its parent says which.
import { pino } from 'pino';

import { composeApplications } from '../../bin/compose.js';
import { parseEnv } from '../../bin/env.js';
import type { ServedGround } from './served-project.js';

process.once('message', (ground) => void serve(ground as ServedGround)); // Sent by our own parent.
process.once('disconnect', () => process.exit());

async function serve({ env, databaseUrl, masterKey, databaseName }: ServedGround): Promise<void> {
  await composeApplications(parseEnv({ ...env }), {
    databaseUrl,
    masterKey: Buffer.from(masterKey, 'hex'),
    controlPlaneDatabase: databaseName,
    log: pino({ level: 'warn' }, pino.destination(2)),
  });
  process.send?.('ready');
}
