// The command lines of Deno. What a function may do is said here alone.
import { networkInterfaces } from 'node:os';

import type { Code } from './code-folder.js';
import type { Command } from './command.js';
import type { Placement } from './placement.js';
import type { ProjectFolders } from './project-folders.js';

/** Hosts whose modules may be imported over HTTPS, when a version is deployed. */
const importHosts = 'deno.land,esm.sh,jsr.io,cdn.jsdelivr.net';

/**
 * Addresses that functions do not reach, by any name: Deno compares after the lookup and after redirects. It takes no
 * ranges of IPv6.
 */
const privateAddresses = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '[::]',
  '[::1]',
];

const reserved =
  /^(?:(?:DENO|LD|DYLD|NODE|NPM|JSR|OTEL|BASH)_.*|PATH|HOME|TMPDIR|SQLITE_TMPDIR|SSLKEYLOGFILE|SHELLOPTS|BASHOPTS|PS4|IFS)$/i;

/**
 * Whether Deno, the loader of the system or a shell reads a variable of this name: code gets none. The environment in
 * which they start has variables of ours alone; these names are closed in case they are read later.
 */
export function isReservedVariable(name: string): boolean {
  return reserved.test(name);
}

/** V8 reserves this much beside the heap before it runs anything. */
const reservedMb = 572;
/** Of a file that a process writes, in blocks of 512 bytes: 64 MB, and 1 GB for a download. */
const maxFileBlocks = 131_072;
const maxDownloadBlocks = 2_097_152;
const downloadMemoryMb = 2_048;

export interface ProcessOrder {
  readonly placement: Placement;
  readonly folders: ProjectFolders;
  readonly code: Code;
  readonly npmRegistry: URL | undefined;
  /** The socket that the process listens on. */
  readonly socket: string;
  /** The socket of its own project. */
  readonly ownApi: string;
  readonly projectUrl: URL;
  /** What the code can read of its environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMb: number;
}

/** The process of a version. */
export function processCommand(order: ProcessOrder): Command {
  const { placement, folders, code, socket, ownApi, projectUrl, variables, memoryMb } = order;
  const sockets = `${socket},${ownApi}`;
  const args = [
    'run',
    '--quiet',
    '--no-prompt',
    '--cached-only',
    ...(code.hasRemote ? [`--allow-import=${importHosts}`] : ['--no-remote', '--deny-import']),
    ...graphArguments(code),
    '--unstable-no-legacy-abort',
    `--v8-flags=--max-old-space-size=${memoryMb}`,
    '--allow-net',
    `--deny-net=${[...privateAddresses, ...ownAddresses()].join(',')}`,
    // The bootstrap gives up its own socket before it loads the code.
    `--allow-read=${code.readable},${folders.denoDir}/npm,${sockets}`,
    `--allow-write=${sockets}`,
    // It has these variables alone; a name that is not set is undefined, as code expects.
    '--allow-env',
    placement.boot,
    socket,
    code.entry,
    ownApi,
    projectUrl.origin,
  ];
  const limits = { dataMb: memoryMb + reservedMb, fileBlocks: maxFileBlocks };
  // The shell and Deno would obey variables of the project: the bootstrap sets them, when both have read theirs.
  const rest = { env: denoVariables(order), input: JSON.stringify(variables) };
  return limited(placement.deno, args, limits, { ...rest, account: folders.account });
}

export type CheckOrder = Pick<ProcessOrder, 'placement' | 'folders' | 'code' | 'npmRegistry'>;

/** `deno info`, which lists what a version imports, or `deno cache`, which downloads it. Neither runs code. */
export function checkCommand(order: CheckOrder, args: readonly string[]): Command {
  const { placement, folders, code } = order;
  const all = [...args, '--quiet', `--allow-import=${importHosts}`, code.entry];
  const limits = { dataMb: downloadMemoryMb, fileBlocks: maxDownloadBlocks };
  const env = denoVariables(order);
  return limited(placement.deno, all, limits, { env, account: folders.account });
}

/** How Deno finds the modules of a version; the same when it is checked and when it runs. */
export function graphArguments(code: Code): readonly string[] {
  return [
    `--config=${code.config}`,
    '--node-modules-dir=none',
    '--vendor=false',
    ...(code.lock === undefined ? ['--no-lock'] : [`--lock=${code.lock}`, '--frozen']),
  ];
}

/** Deno reads these; the code cannot, and none of ours are among them. */
function denoVariables(order: CheckOrder): Readonly<Record<string, string>> {
  const { folders, npmRegistry } = order;
  return {
    DENO_DIR: folders.denoDir,
    HOME: folders.home,
    SQLITE_TMPDIR: folders.sqliteTemp,
    NO_COLOR: '1',
    DENO_NO_UPDATE_CHECK: '1',
    DENO_NO_PACKAGE_JSON: '1',
    // Also an authority of the operator's own, such as that of a proxy or of a registry.
    DENO_TLS_CA_STORE: 'system,mozilla',
    ...(npmRegistry !== undefined && { NPM_CONFIG_REGISTRY: npmRegistry.href }),
  };
}

/** The addresses of this machine: what listens on them is not for functions, and they open no port there. */
function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address));
}

/** Linux alone keeps a limit of the memory of a process. The server and its database go before code of projects. */
function limited(
  program: string,
  args: readonly string[],
  limits: { readonly dataMb: number; readonly fileBlocks: number },
  rest: Pick<Command, 'env' | 'input' | 'account'>,
): Command {
  const data = process.platform === 'linux' ? `ulimit -d ${limits.dataMb * 1024} && ` : '';
  const script = `${data}ulimit -c 0 && ulimit -f ${limits.fileBlocks} && exec nice -n 10 "$0" "$@"`;
  return { program: '/bin/sh', args: ['-c', script, program, ...args], ...rest };
}
