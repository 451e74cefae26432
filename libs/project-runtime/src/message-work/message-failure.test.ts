import { describe, expect, test } from 'vitest';

import { fail } from '#libs/errors';
import { HookAnswerError } from '#libs/hooks';
import { OpenSecretError } from '#libs/secrets';

import { isTemporary, nextDelaySeconds, reasonOf } from './message-failure.js';

describe('whether a message is tried again', () => {
  const hook = (status: number) =>
    fail('HOOK_FAILED', { hook: 'send' }, { cause: new HookAnswerError(status) });
  test.each([
    {
      name: 'a mail server that refuses for good',
      error: fail('MAIL_REFUSED', { reason: 'no' }),
      isAgain: false,
    },
    {
      name: 'a mail server that refuses for now',
      error: fail('MAIL_DEFERRED', { reason: 'no' }),
      isAgain: true,
    },
    {
      name: 'no mail server in reach',
      error: fail('MAIL_UNREACHABLE', { reason: 'no' }),
      isAgain: true,
    },
    { name: 'no way to send mail', error: fail('EMAIL_NOT_CONFIGURED'), isAgain: false },
    {
      name: 'an SMS that is refused',
      error: fail('SMS_REFUSED', { reason: 'no' }),
      isAgain: false,
    },
    {
      name: 'a provider with trouble',
      error: fail('SMS_UNREACHABLE', { reason: 'no' }),
      isAgain: true,
    },
    {
      name: 'a hook that gives no answer',
      error: fail('HOOK_FAILED', { hook: 'send' }),
      isAgain: true,
    },
    { name: 'a hook that answers 503', error: hook(503), isAgain: true },
    { name: 'a hook that answers 429', error: hook(429), isAgain: true },
    { name: 'a hook that answers 400', error: hook(400), isAgain: false },
    { name: 'values that cannot be opened', error: new OpenSecretError('no'), isAgain: false },
    { name: 'a failure that has no name', error: new Error('no'), isAgain: true },
  ])('$name: $isAgain', ({ error, isAgain }) => {
    expect(isTemporary(error)).toBe(isAgain);
  });
});

describe('when it is tried again', () => {
  const day = 86_400;
  test.each([
    { attempts: 1, left: day, seconds: 10 },
    { attempts: 2, left: day, seconds: 60 },
    { attempts: 3, left: day, seconds: 300 },
    { attempts: 4, left: day, seconds: 900 },
    { attempts: 5, left: day, seconds: 3600 },
    { attempts: 6, left: day, seconds: 7200 },
    { attempts: 7, left: day, seconds: 14_400 },
    { attempts: 9, left: day, seconds: 14_400 },
    { attempts: 3, left: 230, seconds: 115 },
    { attempts: 3, left: 60, seconds: 30 },
    { attempts: 3, left: 59, seconds: undefined },
    { attempts: 1, left: -5, seconds: undefined },
  ])('after $attempts failures with $left s left: $seconds s', ({ attempts, left, seconds }) => {
    expect(nextDelaySeconds(attempts, left)).toBe(seconds);
  });
});

test('a reason holds no value of the message, and nothing of a failure without a name', () => {
  const values = { code: '482913', url: 'https://a.example/x?token=t0k3n', expiresInMinutes: 5 };
  const reason = 'no to 482913 and https://a.example/x?token=t0k3n in 5';
  const shown = reasonOf(fail('MAIL_REFUSED', { reason }), values);
  expect(shown).toBe('The mail server refused the mail: no to … and … in 5');
  expect(reasonOf(new Error('482913'), values)).not.toContain('482913');
});
