// The database server for a command that works while the product runs and while it is stopped.
import { findEmbeddedPostgres, lockDataFolder, PostgresServerError } from '#libs/postgres-server';
import { CommandError } from './command-error.js';
import { openDatabase, type OpenedDatabase } from './database.js';
import type { Env } from './env.js';
import { systemErrorCode } from './start-error.js';

/**
 * Returns the database server of the deployment: the running server, else a server that is started until `close`.
 * Throws CommandError if the data folder contains no deployment.
 */
export async function reachDatabase(env: Env): Promise<OpenedDatabase> {
  if (env.databaseUrl !== undefined) return openDatabase(env, quietLog);
  const found = await findEmbeddedPostgres(env.dataDir).catch(asCommandError);
  if (found.kind === 'no-cluster') {
    throw new CommandError(
      `The data folder ${env.dataDir} holds no deployment; set DATA_DIR to the folder of the server`,
    );
  }
  if (found.kind === 'running') return { url: found.url, close: () => Promise.resolve() };
  // The server takes the lock before its database runs.
  const lock = await lockDataFolder(env.dataDir).catch((error: unknown) => {
    if (!(error instanceof PostgresServerError)) return asCommandError(error);
    throw new CommandError('The server is starting or stopping; try again when it has done so', {
      cause: error,
    });
  });
  try {
    const server = await openDatabase(env, quietLog);
    return {
      url: server.url,
      async close() {
        try {
          await server.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const quietLog = {
  info: () => undefined,
  warn: (message: string) => void process.stderr.write(`${message}\n`),
  error: (message: string) => void process.stderr.write(`${message}\n`),
};

function asCommandError(error: unknown): never {
  if (error instanceof PostgresServerError) throw new CommandError(error.message, { cause: error });
  if (systemErrorCode(error) === 'EACCES') {
    throw new CommandError(
      'The data folder cannot be read; run the command as the system user of the server',
      { cause: error },
    );
  }
  throw error;
}
