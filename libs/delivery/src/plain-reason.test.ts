// What a foreign server repeats of a message, in the ways in which servers repeat it.
import { describe, expect, test } from 'vitest';

import { plainReason, secretsIn } from './plain-reason.js';

const token = 'Wq3RtYuIoPaSdFgHjKlZxCvB';
const code = '482913';
const link = `https://api.example.org/api/auth/verify?token=${token}&to=%2F`;
const message = `Confirm your address with the code ${code}:\n${link}\n`;
const secrets = secretsIn(message);

/** What of the token and the code is left in a text. */
function leftIn(shown: string): string[] {
  const lower = shown.toLowerCase();
  const pieces = Array.from({ length: token.length - 7 }, (_, at) => token.slice(at, at + 8));
  return [code, ...pieces].filter((piece) => lower.includes(piece.toLowerCase()));
}

describe('a server repeats', () => {
  const quoted = `https://api.example.org/api/auth/verify?token=3D${token.slice(0, 9)}=\r\n${token.slice(9)}`;
  test.each([
    { name: 'the message', said: `no: ${message}` },
    { name: 'the link alone', said: `<${link}> is on a list` },
    { name: 'the token alone', said: `bad ${token}` },
    { name: 'the beginning of the link', said: `no: ${link.slice(0, -16)}` },
    { name: 'the end of the token', said: `no: …${token.slice(9)}` },
    { name: 'the token in capitals', said: `NO: ${token.toUpperCase()}` },
    { name: 'the link in quoted-printable, folded', said: `no: ${quoted}` },
    { name: 'the message in base64', said: `no: ${Buffer.from(message).toString('base64')}` },
    {
      name: 'the message in base64, in lines',
      said: `no: ${Buffer.from(message).toString('base64').replace(/.{76}/g, '$&\r\n')}`,
    },
    {
      name: 'the beginning of the message in base64',
      said: `no: ${Buffer.from(message).toString('base64').slice(0, 60)}`,
    },
    {
      name: 'the message as a form',
      said: `no: ${new URLSearchParams({ Body: message }).toString()}`,
    },
    { name: 'the code behind a long text', said: `${'x'.repeat(196)}${code}` },
  ])('$name: neither token nor code is shown', ({ said }) => {
    expect(leftIn(plainReason(said, secrets))).toEqual([]);
    // Not even the beginning of a code that the limit cuts off.
    expect(plainReason(said, secrets)).not.toContain(code.slice(0, 4));
  });
});

test.each([
  '550 5.1.1 <ada@example.org>: no mailbox',
  '550-5.7.26 This mail has been blocked, see https://support.example.com/mail/answer/81126#auth',
  'The number +15551230429 is not a valid phone number',
  'queued as ffacd0b85a97d-3a4f85ff4a3si5765468f8f.145',
])('words that the message does not have are shown: %s', (said) => {
  expect(plainReason(said, secrets)).toBe(said);
});
