// Codes that are sent to a user in the place of those of the app.
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { textField } from '../../fields.js';
import { guessable, guessValue, keepValue } from '../../one-time-values.js';
import { inMinutes } from '../../send-mail-quietly.js';
import { codeDigest } from '../email-otp/codes.js';
import { countSms, randomDigits } from '../phone-otp/sms.js';
import { addressesOf, type Addresses, type Channel } from './channels.js';
import { findFactor } from './factor.sql.js';
import { findHolder, type Holder } from './holder.js';

const digits = 6;
const maxGuesses = 5;

/** Sends a code; the body names the channel when there are two. */
export function sendSecondFactorCode(config: AuthConfig) {
  return endpoint(
    '/two-factor/send-otp',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const holder = await findHolder(config.pool, ctx);
      const factor = await findFactor(config.pool, holder.userId);
      if (!factor?.isVerified) throw fail('SECOND_FACTOR_NOT_ENABLED');
      const addresses = await addressesOf(config, holder.userId);
      const channel = channelIn(body, addresses);
      await countSending(config, holder, { channel, to: addresses.get(channel) ?? '' });
      const code = randomDigits(digits);
      await keepValue(config.pool, {
        identifier: identifierOf(holder),
        value: guessable(digestOf(config, holder, code)),
        expiresInSeconds: config.settings['auth.twoFactor'].codeExpiresIn,
      });
      await send(config, { channel, to: addresses.get(channel) ?? '', code });
      return ctx.json({ status: true, channel });
    },
  );
}

/** Whether `code` is the one that was sent, which it then no longer is. Every call is a guess. */
export function guessSentCode(config: AuthConfig, holder: Holder, code: string): Promise<boolean> {
  return guessValue(config.pool, {
    identifier: identifierOf(holder),
    digest: digestOf(config, holder, code),
    maxGuesses,
  });
}

/** The channel that a body names, or else the first. Throws INVALID_INPUT for a channel that does not reach the user. */
function channelIn(body: unknown, addresses: Addresses): Channel {
  const offered = [...addresses.keys()];
  const named = textField(body, 'channel');
  const channel = named === undefined ? offered[0] : offered.find((each) => each === named);
  if (channel) return channel;
  const reason = offered.length > 0 ? `must be ${offered.join(' or ')}` : 'no code can be sent';
  throw fail('INVALID_INPUT', { field: 'channel', reason });
}

interface Sending {
  readonly channel: Channel;
  readonly to: string;
}

async function countSending(
  config: AuthConfig,
  { userId }: Holder,
  { channel, to }: Sending,
): Promise<void> {
  const { windowSeconds, perIdentifier: max } = config.settings['auth.rateLimits'].sendEmail;
  if (config.settings['security.rateLimit'].enabled) {
    await config.limit([{ key: `secondFactor:id:${userId}`, rule: { windowSeconds, max } }]);
  }
  if (channel === 'sms') await countSms(config, to);
}

async function send(
  { messages, settings }: AuthConfig,
  { channel, to, code }: Sending & { readonly code: string },
): Promise<void> {
  if (channel === 'sms') {
    await messages.sms?.({ kind: 'secondFactor', to, code });
    return;
  }
  const expiresInMinutes = inMinutes(settings['auth.twoFactor'].codeExpiresIn);
  await messages.mail({ kind: 'secondFactor', to, values: { code, expiresInMinutes } });
}

/** A code belongs to the sign-in or to the session that it was sent for. */
function identifierOf(holder: Holder): string {
  return `second-factor:${holder.kind}:${holder.id}`;
}

function digestOf({ secret }: AuthConfig, holder: Holder, code: string): string {
  return codeDigest(secret, `${identifierOf(holder)}:${code.trim()}`);
}
