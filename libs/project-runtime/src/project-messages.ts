// How the messages of a project reach its users: a hook that sends them itself, the project's mail server, or the
// development inbox; and the SMS provider. The settings at the time of sending apply. Messages of the auth engine wait
// in the database (message-work) until a worker sends them with this class.
import { randomUUID } from 'node:crypto';

import type { AuthMailOf, AuthSms } from '#libs/auth-engine';
import {
  type Mailer,
  openMailer,
  openSms,
  type ResolveMailHost,
  type SmtpAccess,
} from '#libs/delivery';
import type { ProjectDatabase } from '#libs/database';
import { fail } from '#libs/errors';
import { type MailKind, type MailValues, renderMail } from '#libs/mail-templates';
import { type Outbound, signWebhook } from '#libs/outbound';
import type { Settings } from '#libs/settings';

import { keepMail } from './inbox.sql.js';
import { smsAccess } from './sms-access.js';

/** The channel that a mail took or would take. */
export type MailTransport = 'hook' | 'smtp' | 'inbox';

/** A message for the hook `send`. */
export interface HookedMessage {
  readonly channel: 'email' | 'sms';
  readonly kind: string;
  readonly to: string;
  readonly values: Readonly<Record<string, string | number | undefined>>;
}

export interface MessagesDeps {
  readonly project: () => { readonly name: string; readonly baseUrl: URL };
  readonly db: ProjectDatabase;
  readonly settings: () => Settings;
  readonly outbound: Outbound;
  readonly resolveMailHost: ResolveMailHost;
  /** Whether mails of a project without a mail server are kept for its operators to read. */
  readonly hasInbox: boolean;
  /** Hands a message to the hook `send`; false if the hook is off or leaves the sending to the project. */
  readonly sendByHook: (message: HookedMessage) => Promise<boolean>;
  readonly now: () => number;
}

interface OpenMailer {
  readonly key: string;
  readonly mailer: Mailer;
}

export class ProjectMessages {
  private opened: OpenMailer | undefined;

  constructor(private readonly deps: MessagesDeps) {}

  /** How a mail would be sent now; undefined if it could not. */
  get transport(): MailTransport | undefined {
    const settings = this.deps.settings();
    if (settings['auth.hooks'].send.enabled) return 'hook';
    if (smtpAccess(settings)) return 'smtp';
    return this.deps.hasInbox ? 'inbox' : undefined;
  }

  /** Sends a mail and waits for it. Throws EMAIL_NOT_CONFIGURED, MAIL_REFUSED, MAIL_UNREACHABLE, HOOK_FAILED. */
  async sendMail<K extends MailKind>(mail: AuthMailOf<K>): Promise<MailTransport> {
    const { deps } = this;
    const { kind, to } = mail;
    if (await deps.sendByHook({ channel: 'email', kind, to, values: mail.values })) return 'hook';
    const rendered = { to, ...this.render(mail) };
    const settings = deps.settings();
    const access = smtpAccess(settings);
    if (access) {
      await this.mailerFor(access).send(rendered);
      return 'smtp';
    }
    if (!deps.hasInbox) throw fail('EMAIL_NOT_CONFIGURED');
    await deps.db.runAsEngine((tx) => keepMail(tx, { kind, ...rendered }));
    return 'inbox';
  }

  /** Sends an SMS and waits for it. Throws SMS_NOT_CONFIGURED, SMS_REFUSED, SMS_UNREACHABLE, HOOK_FAILED. */
  async sendSms({ kind, to, code }: AuthSms): Promise<void> {
    const { deps } = this;
    if (await deps.sendByHook({ channel: 'sms', kind, to, values: { code } })) return;
    const group = deps.settings()['phone.sms'];
    const access = smsAccess(group);
    if (!access) throw fail('SMS_NOT_CONFIGURED');
    const sender = openSms(access, {
      call: deps.outbound,
      sign: ({ secret, body }) =>
        signWebhook({
          secret,
          body,
          id: `msg_${randomUUID()}`,
          timestampSeconds: Math.floor(deps.now() / 1000),
        }),
    });
    const text = group.text
      .replaceAll(/\{\{ *code *\}\}/g, () => code)
      .replaceAll(/\{\{ *appName *\}\}/g, () => deps.project().name);
    await sender.send({ to, text, kind });
  }

  /** Closes the connections. Mails in progress finish, and the next mail opens a connection again. */
  close(): void {
    this.opened?.mailer.close();
    this.opened = undefined;
  }

  private render<K extends MailKind>({ kind, to, values }: AuthMailOf<K>) {
    const settings = this.deps.settings();
    const { siteUrl, redirectUrls } = settings['auth.urls'];
    const { name, baseUrl } = this.deps.project();
    const common = { appName: name, siteUrl: siteUrl ?? baseUrl.origin, email: to };
    // The values of a mail omit exactly those that all mails have in common.
    const all = { ...values, ...common } as unknown as MailValues<K>;
    const appSchemes = redirectUrls.flatMap(appScheme);
    return renderMail(kind, settings['email.templates'][kind], all, { appSchemes });
  }

  /** One mailer is kept; a mail server with other settings gets a new one. */
  private mailerFor(access: SmtpAccess): Mailer {
    const key = JSON.stringify(access);
    if (this.opened?.key !== key) {
      this.opened?.mailer.close();
      this.opened = { key, mailer: openMailer(access, { resolve: this.deps.resolveMailHost }) };
    }
    return this.opened.mailer;
  }
}

/** The mail server of a project; undefined if a required field is missing. */
function smtpAccess(settings: Settings): SmtpAccess | undefined {
  const { host, port, secure, user, password, from } = settings['email.smtp'];
  if (host === undefined || from === undefined) return undefined;
  const account = user !== undefined && password !== undefined ? { user, password } : undefined;
  if (user !== undefined && !account) return undefined;
  return { host, port, secure, from, ...account };
}

function appScheme(address: string): readonly string[] {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === 'http' || scheme === 'https' ? [] : [scheme];
}
