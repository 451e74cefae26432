import { defineGroup } from '../define-group.js';
import { integer, object } from '../field.js';

interface Defaults {
  readonly label: string;
  readonly help?: string;
  readonly windowSeconds: number;
  readonly perAddress: number;
  readonly perIdentifier: number;
}

const kind = ({ label, help, windowSeconds, perAddress, perIdentifier }: Defaults) =>
  object({
    label,
    ...(help !== undefined && { help }),
    fields: {
      windowSeconds: integer({
        label: 'Window',
        default: windowSeconds,
        range: [1, 86_400],
        unit: 's',
      }),
      perAddress: integer({
        label: 'From one network address',
        default: perAddress,
        range: [1, 1_000_000],
      }),
      perIdentifier: integer({
        label: 'For one email address, phone number or user',
        default: perIdentifier,
        range: [1, 1_000_000],
      }),
    },
  });

const minute = 60;
const hour = 3600;

export const authRateLimits = defineGroup('auth.rateLimits', {
  title: 'Rate limits by kind',
  help: 'How many requests of each kind are accepted within a window. The limit for all of them together is security.rateLimit.',
  rebuilds: ['auth'],
  fields: {
    signUp: kind({ label: 'Sign-up', windowSeconds: minute, perAddress: 30, perIdentifier: 5 }),
    signIn: kind({
      label: 'Sign-in with a password or key',
      windowSeconds: minute,
      perAddress: 30,
      perIdentifier: 10,
    }),
    anonymous: kind({ label: 'Guests', windowSeconds: hour, perAddress: 30, perIdentifier: 30 }),
    sendEmail: kind({
      label: 'Codes and links by mail',
      windowSeconds: hour,
      perAddress: 60,
      perIdentifier: 10,
    }),
    sendSms: kind({
      label: 'Codes by SMS',
      help: 'A message costs money: keep this low.',
      windowSeconds: hour,
      perAddress: 20,
      perIdentifier: 5,
    }),
    verifyCode: kind({
      label: 'Entering a code',
      windowSeconds: minute,
      perAddress: 30,
      perIdentifier: 10,
    }),
    passwordReset: kind({
      label: 'Password recovery',
      windowSeconds: hour,
      perAddress: 30,
      perIdentifier: 5,
    }),
    smsPerDay: integer({
      label: 'SMS per project and day',
      help: 'For all numbers together: limits the cost of an attack.',
      default: 1000,
      range: [0, 1_000_000],
    }),
  },
});
