// The mail server of the trial. It answers 451 once to each address that begins with `later`.
import { closeAll, openInbox } from '../delivery/open-inbox.js';

export interface Inbox {
  /** Variables of a deployment that sends over this server. */
  readonly env: Readonly<Record<string, string>>;
  /** How many mails each address has got. */
  countOf(address: string): number;
  /** How many addresses were answered 451. */
  readonly deferred: number;
  close(): Promise<void>;
}

export async function openTrialInbox(): Promise<Inbox> {
  const deferred = new Set<string>();
  const { mails, access } = await openInbox({
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('later') || deferred.has(address)) return done();
      deferred.add(address);
      done(Object.assign(new Error('too busy'), { responseCode: 451 }));
    },
  });
  const counts = new Map<string, number>();
  const count = (): void => {
    // A soak has many mails; only their addresses are kept.
    for (const { to } of mails.splice(0)) {
      const address = to?.[0]?.address ?? '';
      counts.set(address, (counts.get(address) ?? 0) + 1);
    }
  };
  return {
    env: {
      SMTP_HOST: access.host,
      SMTP_PORT: String(access.port),
      SMTP_SECURE: 'false',
      SMTP_FROM: access.from,
      SMTP_PROJECTS: 'all',
    },
    countOf(address) {
      count();
      return counts.get(address) ?? 0;
    },
    get deferred() {
      return deferred.size;
    },
    close: closeAll,
  };
}
