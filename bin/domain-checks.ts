// Looks up the DNS records of unverified custom domains.
import type { Logger } from 'pino';

import { checkPendingDomains, type ProjectsContext, txtReader } from '#libs/control-plane';

import type { Env } from './env.js';

const intervalMs = 5 * 60 * 1000;

/** Starts the check, at once and then every five minutes. The returned function stops it and waits for its end. */
export function startDomainChecks(
  env: Env,
  { projects, log }: { readonly projects: ProjectsContext; readonly log: Logger },
): () => Promise<void> {
  const stop = new AbortController();
  const readTxt = txtReader({ servers: env.dnsServers });
  const check = async (): Promise<void> => {
    try {
      const proven = await checkPendingDomains(projects, readTxt, {
        signal: stop.signal,
        onError: (err, domain) => log.warn({ err, domain }, 'a domain could not be checked'),
      });
      for (const { ref, domain } of proven) log.info({ ref, domain }, 'domain verified');
    } catch (err) {
      log.error({ err }, 'the check of domains failed');
    }
  };
  let running = check();
  const timer = setInterval(() => {
    running = running.then(check);
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
