// The settings of the embedded server (postgresql.conf), which it gets as flags when it starts.

export type ServerSettings = Readonly<Record<string, string>>;

/** Enough for a deployment with the usual budget and for its owners. */
const leastConnections = 300;

/** The socket of the platform, and the file that closes TCP to its logins. */
export interface PlatformSocket {
  readonly folder: string;
  readonly hbaFile: string;
}

/** Returns what every embedded server is started with. `socket` is absent on Windows. */
export function serverSettings(socket: PlatformSocket | undefined): ServerSettings {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socket?.folder ?? '',
    ...(socket && { hba_file: socket.hbaFile }),
    wal_level: 'logical',
    max_connections: String(leastConnections),
    // The table of locks belongs to all projects; one statement fills a small one before its session can be ended.
    max_locks_per_transaction: '256',
    // Dropping a database waits for every connection, and a connection that never authenticates cannot be ended earlier.
    authentication_timeout: '10s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The errors of statements are answers to callers; they and the statements hold their data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...quickRecovery,
  };
}

/** Returns the connections of a server on which the platform needs `platform` of them: the rest is for owners. */
export function connectionSettings(platform: number): ServerSettings {
  return {
    max_connections: String(Math.max(leastConnections, 2 * platform)),
    // Owners' own connections never take what requests need.
    reserved_connections: String(platform),
  };
}

/**
 * After a crash PostgreSQL syncs the whole data folder before it recovers: file by file, which takes minutes with
 * hundreds of databases, or by one call for the file system, which only Linux has (manual, §19.12).
 */
const quickRecovery: ServerSettings =
  process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {};

/** For a throw-away cluster: nothing waits for the disk. */
export const ephemeralSettings: ServerSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};
