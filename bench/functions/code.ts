// The functions that are measured. Bare Deno runs the same handler.

export const HANDLER = `() => Response.json({ hello: 'world' })`;
export const ANSWER = { hello: 'world' } as const;

export const HELLO_CODE = `Deno.serve(${HANDLER});`;

/** Another text, so that it is another version. */
export const HELLO_AGAIN_CODE = `${HELLO_CODE}\n`;

/** Milliseconds of a clock that Deno and this process read alike. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Sends the time of its first byte as that byte, and ends later: the byte must not wait for the end. */
export const STREAM_CODE = `Deno.serve(() => new Response(new ReadableStream({
  start(controller) {
    const now = String(performance.timeOrigin + performance.now());
    controller.enqueue(new TextEncoder().encode(now));
    setTimeout(() => controller.close(), 20);
  },
})));`;

/** Bare Deno: over TCP, and over a socket for a server in front of it. It prints its port. */
export function denoServer(socket: string): string {
  const path = JSON.stringify(socket);
  return `const handler = ${HANDLER};
Deno.serve({ path: ${path}, onListen: () => undefined }, handler);
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(port) }, handler);
`;
}
