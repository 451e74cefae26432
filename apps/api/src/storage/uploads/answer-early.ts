// Answers clients that are still sending. Closing a connection with unread bytes resets it, and the client may lose the
// answer: so the answer is sent, and further bytes are discarded for a moment (RFC 9112 section 9.6).
import type { FastifyReply, FastifyRequest } from 'fastify';

const drainMs = 2_000;
const drainBytes = 16 * 1024 * 1024;

/** Returns the result of `work`. If it fails with part of the body unread, the connection closes after the answer. */
export async function answeringEarly<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!request.raw.complete) {
      reply.header('connection', 'close');
      drainAfterAnswer(request.raw);
    }
    throw error;
  }
}

function drainAfterAnswer(body: FastifyRequest['raw']): void {
  const { socket } = body;
  // The server calls this after the answer was sent.
  socket.destroySoon = () => {
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const timer = setTimeout(end, drainMs);
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > drainBytes) end();
    });
    body.once('end', end).once('close', end);
    body.resume();
    socket.end();
  };
}
