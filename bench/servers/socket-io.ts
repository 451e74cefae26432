// Socket.IO as its documentation shows it: every connection is in one room, and each event is emitted to the room.

import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { isEmitPlan } from '../realtime/emit-plan.js';
import { announce } from './announce.js';

const ROOM = 'all';

const server = createServer();
const io = new Server(server, {
  path: '/ws',
  transports: ['websocket'],
  perMessageDeflate: false,
  serveClient: false,
});
io.on('connection', (socket) => {
  void socket.join(ROOM);
});

process.on('message', (message: unknown) => {
  if (!isEmitPlan(message)) return;
  for (let count = 0; count < message.times; count += 1) {
    io.to(ROOM).emit(message.event, message.payload);
  }
  process.send?.({ kind: 'emitted' });
});
server.listen(0, '127.0.0.1', () => announce(server));
