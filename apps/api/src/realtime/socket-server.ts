// Socket.IO at `/ws`. It carries frames between clients and the hub of their project; rooms and broadcasts of Socket.IO
// are not used. WebSocket is the only transport: long polling would need requests of one client to reach one process.
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';

import { Server as Engine } from 'engine.io';
import { Server, type Socket } from 'socket.io';
import { Encoder } from 'socket.io-parser';

import { fail } from '#libs/errors';
import type { Lease, ProjectRuntime } from '#libs/project-runtime';

import { carryFrames } from './carry-frames.js';
import { FrameDecoder } from './frame-decoder.js';
import { findProjectOf } from './handshake.js';
import { logRefusal, publicError } from './refusals.js';
import type { SocketDeps } from './socket-deps.js';
import { serveUpgrades } from './upgrades.js';

/** Larger packets end the connection with the code 1009. The limit of frames in the settings is smaller. */
const maxPacketBytes = 1024 * 1024;
/** Time from the connection to the handshake of Socket.IO. */
const handshakeMs = 10_000;
const parser = { Encoder, Decoder: FrameDecoder };

/** Serves sockets beside the routes of `server`. */
export function serveSockets(server: HttpServer, deps: SocketDeps): void {
  const engine = new Engine({
    transports: ['websocket'],
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: maxPacketBytes,
  });
  const io = new Server({ serveClient: false, connectTimeout: handshakeMs, parser });
  io.bind(engine);
  serveUpgrades(server, (request, socket, head) => upgrade(engine, request, socket, head));
  // Before the connections of the application are closed.
  deps.drain?.begun.addEventListener('abort', () => {
    for (const project of deps.registry.listLive()) project.disconnect();
  });
  const connected = new WeakSet<object>();
  io.use((socket, next) => {
    const { conn } = socket;
    // Socket.IO would begin a connection for each packet that asks for one, until the first has been looked up.
    if (connected.has(conn)) {
      conn.close(true);
      return;
    }
    connected.add(conn);
    // Socket.IO would keep the connection for another one, of which the hub would have a second member.
    socket.once('disconnect', (reason) => {
      if (reason === 'client namespace disconnect') conn.close(true);
    });
    admit(socket, deps).then(
      () => next(),
      (error: Error) => {
        connected.delete(conn);
        next(error);
      },
    );
  });
}

type EngineUpgrade = Parameters<Engine['handleUpgrade']>;

function upgrade(engine: Engine, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  // Engine.IO adds the rest to the request itself.
  engine.handleUpgrade(request as EngineUpgrade[0], socket, head);
}

/** Connects the socket to the hub of its project, which stays open until the socket ends. Throws {@link connectError}. */
async function admit(socket: Socket, deps: SocketDeps): Promise<void> {
  let lease: Lease<ProjectRuntime> | undefined;
  try {
    if (deps.drain?.isAnnounced) throw fail('SHUTTING_DOWN', {}, { retryAfterSeconds: 1 });
    lease = await findProjectOf(socket, deps);
    await enter(socket, lease, deps);
  } catch (error) {
    const project = lease?.value.record.ref;
    lease?.release();
    throw connectError(error, deps.log, project);
  }
}

async function enter(
  socket: Socket,
  lease: Lease<ProjectRuntime>,
  deps: SocketDeps,
): Promise<void> {
  const leave = await carryFrames(socket, lease.value, deps);
  let hasLeft = false;
  const end = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    leave();
    lease.release();
  };
  socket.conn.once('close', end);
  // The client may have gone while the caller was looked up.
  if (socket.conn.readyState !== 'open') end();
}

/** As the client receives it: `connect_error` with `data.code` and `data.message`. The log has a line about it. */
function connectError(thrown: unknown, log: SocketDeps['log'], project: string | undefined): Error {
  const refused = publicError(thrown);
  logRefusal(log, refused, { project, event: 'connect' });
  const { code, message, status, details, retryAfterSeconds } = refused;
  const data = {
    code,
    message,
    status,
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1000 }),
  };
  return Object.assign(new Error(message), { data });
}
