// The health check of the image: ends with 0 when every application of this container says at /readyz that it is ready.
// The worker alone has no port; its container is healthy while its process runs.
const { env } = process;
const roles = (env.ROLES || 'api,console,worker').split(',').map((role) => role.trim());
const address = !env.HOST || env.HOST === '0.0.0.0' || env.HOST === '::' ? '127.0.0.1' : env.HOST;
const host = address.includes(':') ? `[${address}]` : address;
const ports = [
  roles.includes('api') && (env.PORT || '8000'),
  roles.includes('console') && (env.CONSOLE_PORT || '8001'),
].filter(Boolean);

for (const port of ports) {
  const url = `http://${host}:${port}/readyz`;
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
    if (status !== 200) fail(`${url} answers ${status}`);
  } catch (error) {
    fail(`${url}: ${error.cause?.message ?? error.message}`);
  }
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
