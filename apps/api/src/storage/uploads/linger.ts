// Answers to senders who are still sending. A connection that is closed with bytes unread is reset, and the
// sender may lose the answer with it: so the answer goes out, and what still comes is dropped for a moment
// (RFC 9112 section 9.6).
import type { FastifyReply, FastifyRequest } from 'fastify';

const lingerMs = 2_000;
const lingerBytes = 16 * 1024 * 1024;

/** What `work` gives. When it fails with some of the body unread, the connection ends after the answer. */
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
      linger(request.raw);
    }
    throw error;
  }
}

function linger(body: FastifyRequest['raw']): void {
  const { socket } = body;
  // The server calls this when the answer is out.
  socket.destroySoon = () => {
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const timer = setTimeout(end, lingerMs);
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > lingerBytes) end();
    });
    body.once('end', end).once('close', end);
    body.resume();
    socket.end();
  };
}
