// The frames of one socket: each is read, carried out by the hub, and acknowledged.
import type { Socket } from 'socket.io';

import { type AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Member } from '#libs/realtime';
import { invalidFrame, isClientEvent, parseFrame } from '#libs/realtime-core';
import { isRecord } from '#libs/wire';

import { frameBytes, MalformedPacket, RefusedFrame } from './frame-decoder.js';
import { frameSocket } from './frame-socket.js';
import { credentialOf, projectKeysOf, renewedCredential } from './handshake.js';
import { logRefusal, publicError } from './refusals.js';
import type { SocketDeps } from './socket-deps.js';

type Ack = (answer: object) => void;

/**
 * Enters the socket in the hub of its project and carries its frames. The returned function takes it out again. Throws
 * the errors of the credential and of the hub.
 */
export async function carryFrames(
  socket: Socket,
  project: ProjectRuntime,
  deps: SocketDeps,
): Promise<() => void> {
  const { hub } = project.realtime;
  const member = await credentialOf(socket, project, deps)
    .then((credential) => {
      const facts = { projectKeys: projectKeysOf(socket), network: deps.networkOf(socket.request) };
      return hub.connect(frameSocket(socket, facts), credential);
    })
    .catch((error: unknown) => {
      hub.inspection.noteRefusal('connect', publicError(error));
      throw error;
    });
  // Added before the client learns that it is connected, and so before its first frame.
  socket.onAny((event: string, ...args: unknown[]) => {
    const last = args.at(-1);
    const ack = typeof last === 'function' ? (last as Ack) : () => undefined;
    carryOut(event, args[0], member).then(ack, (error: unknown) => {
      const refused = publicError(error);
      // Refused messages can be thousands in a second; a join begins a channel, as a request does.
      if (event === 'rt:join' || refused.status >= 500) {
        logRefusal(deps.log, refused, { project: project.record.ref, event });
      }
      if (isClientEvent(event)) {
        const topic = isRecord(args[0]) ? args[0]['topic'] : undefined;
        hub.inspection.noteRefusal(event, refused, { member, topic });
      }
      ack(refusal(refused));
    });
  });
  watchPackets(socket, (reason) => {
    const refused = invalidFrame('frame', reason);
    logRefusal(deps.log, refused, { project: project.record.ref, event: 'packet' });
    member.end(refused);
  });
  return () => hub.disconnect(member);

  async function carryOut(event: string, payload: unknown, from: Member): Promise<object> {
    if (!isClientEvent(event)) {
      hub.frames.count(from, 'rt:send');
      // A number, too, is the name of an event in the protocol of Socket.IO.
      throw invalidFrame('event', `there is no event ${String(event).slice(0, 64)}`);
    }
    hub.frames.count(from, event);
    const maxBytes = project.realtime.maxFrameBytes;
    if (!isAlwaysTaken(event) && frameBytes(payload) > maxBytes) {
      throw fail('FRAME_TOO_LARGE', { maxBytes });
    }
    if (payload instanceof RefusedFrame) throw invalidFrame('frame', payload.reason);
    const frame = parseFrame(event, payload);
    switch (frame.kind) {
      case 'join':
        return hub.frames.join(from, frame);
      case 'leave':
        return hub.frames.leave(from, frame.topic);
      case 'send':
        return hub.frames.send(from, frame);
      case 'track':
        return hub.frames.track(from, frame);
      case 'untrack':
        return hub.frames.untrack(from, frame.topic);
      case 'token':
        return hub.frames.renew(from, await renewedCredential(socket, frame.token, project, deps));
    }
  }
}

/** Calls `end` with the reason before Socket.IO or Engine.IO closes the connection because of a packet. */
function watchPackets(socket: Socket, end: (reason: string) => void): void {
  // A client can send an event of this name as well.
  socket.on('error', (error: unknown) => {
    if (error instanceof MalformedPacket) end(error.reason);
  });
  socket.conn.on('packet', ({ type }: { readonly type: string }) => {
    // Engine.IO reads unknown types as an error, and only servers send a ping.
    if (type === 'error' || type === 'ping') end('is no packet of Engine.IO for a server');
  });
}

/** Whether the size of the event has no limit but that of packets: a client that cannot send it loses its connection. */
function isAlwaysTaken(event: string): boolean {
  return event === 'rt:token' || event === 'rt:leave';
}

/** The acknowledgement of a frame that is refused. */
function refusal({ code, message, hint, details, retryAfterSeconds }: AppError): object {
  return {
    status: 'error',
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterMs: Math.ceil(retryAfterSeconds * 1000) }),
  };
}
