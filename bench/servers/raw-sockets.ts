// The floor under a message to many: one WebSocket frame that is made once and written to every connection.
// A connection speaks as much of Socket.IO as its client waits for.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { isEmitPlan } from '../realtime/emit-plan.js';
import { FrameReader, serverFrame } from '../realtime/text-frames.js';
import { announce } from './announce.js';

// RFC 6455 section 1.3.
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPENED = serverFrame('0{"sid":"s","upgrades":[],"pingInterval":600000,"pingTimeout":600000}');
const CONNECTED = serverFrame('40{"sid":"s"}');

const sockets = new Set<Duplex>();
const server = createServer();
server.on('upgrade', (request, socket: Duplex) => {
  const accept = createHash('sha1')
    .update(`${String(request.headers['sec-websocket-key'])}${GUID}`)
    .digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
  ];
  socket.write([...lines, '', ''].join('\r\n'));
  socket.write(OPENED);
  const reader = new FrameReader(() => {
    sockets.add(socket);
    socket.write(CONNECTED);
  });
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
});

process.on('message', (message: unknown) => {
  if (!isEmitPlan(message)) return;
  const frame = serverFrame(`42${JSON.stringify([message.event, message.payload])}`);
  for (let count = 0; count < message.times; count += 1) {
    for (const socket of sockets) socket.write(frame);
  }
  process.send?.({ kind: 'emitted' });
});
server.listen(0, '127.0.0.1', () => announce(server));
