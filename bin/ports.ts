import { createServer } from 'node:net';
import type { Env } from './env.js';
import { StartError, systemErrorCode } from './start-error.js';

/** Throws StartError when a port that this process is to listen on cannot be had. */
export async function checkPorts(env: Env): Promise<void> {
  if (env.roles.includes('api')) await checkPort(env.host, env.port, 'PORT');
  if (env.roles.includes('console')) await checkPort(env.host, env.consolePort, 'CONSOLE_PORT');
}

function checkPort(host: string, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const reason = explain(systemErrorCode(error), { host, port, variable });
      reject(reason === undefined ? error : new StartError(reason, error));
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function explain(
  code: string | undefined,
  { host, port, variable }: { host: string; port: number; variable: string },
): string | undefined {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `The port ${port} on ${host} is taken; stop the program that uses it or set ${variable}`,
    EACCES: `The port ${port} may not be used by this system user; set ${variable} to one above 1023`,
    EADDRNOTAVAIL: `HOST must be an address of this machine, not "${host}"`,
    ENOTFOUND: `HOST must be an address of this machine, not "${host}"`,
  };
  return code === undefined ? undefined : reasons[code];
}
