import { describe, expect, test } from 'vitest';
import { checkOutboundUrl } from './check-url.js';

function refusalOf(url: string, allowedHosts: readonly string[] = []): unknown {
  try {
    checkOutboundUrl(url, allowedHosts);
    return 'allowed';
  } catch (error) {
    return error;
  }
}

describe('a URL is refused', () => {
  test.each([
    { rule: 'that is none', url: 'example.com', reason: 'it is not a URL' },
    { rule: 'that is empty', url: '', reason: 'it is not a URL' },
    {
      rule: 'that is too long',
      url: `https://example.com/${'a'.repeat(2100)}`,
      reason: 'it is not',
    },
    { rule: 'of a file', url: 'file:///etc/passwd', reason: 'begins with neither' },
    { rule: 'of another protocol', url: 'gopher://example.com/', reason: 'begins with neither' },
    { rule: 'with data in it', url: 'data:text/plain,a', reason: 'begins with neither' },
    {
      rule: 'with a user name',
      url: 'https://user@example.com/',
      reason: 'user name or a password',
    },
    {
      rule: 'with a password',
      url: 'https://:secret@example.com/',
      reason: 'user name or a password',
    },
    { rule: 'to the port of mail', url: 'https://example.com:25/', reason: 'port 25 is closed' },
    { rule: 'to the port of ssh', url: 'http://example.com:22/', reason: 'port 22 is closed' },
  ])('$rule', ({ url, reason }) => {
    expect(refusalOf(url)).toMatchObject({
      code: 'OUTBOUND_REFUSED',
      status: 400,
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    'http://localhost/',
    'http://LOCALHOST:8000/',
    'http://localhost./',
    'http://abc.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/',
    'http:127.0.0.1/',
    'http://0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
  ])('that names a private address: %s', (url) => {
    expect(refusalOf(url)).toMatchObject({
      code: 'OUTBOUND_REFUSED',
      message: expect.stringContaining('it is not a public address'),
    });
  });
});

test('the refusal of an unreadable URL does not repeat it', () => {
  expect(String(refusalOf('https://user:hunter2@exa mple.com/'))).not.toContain('hunter2');
});

test.each([
  'https://example.com/hook?x=1',
  'http://example.com:8080/',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost.example.com/',
])('%s may be called as far as its text says', (url) => {
  expect(checkOutboundUrl(url, []).href).toBe(url);
});

describe('a host of the operator', () => {
  test.each([
    { rule: 'may be private', url: 'http://127.0.0.1:9000/', allowed: '127.0.0.1', isFine: true },
    {
      rule: 'is meant in every spelling',
      url: 'http://2130706433/',
      allowed: '127.0.0.1',
      isFine: true,
    },
    { rule: 'is found in any case', url: 'http://idp.CORP/', allowed: 'IdP.corp', isFine: true },
    {
      rule: 'with a port has that port',
      url: 'http://idp.localhost:81/',
      allowed: 'idp.localhost:81',
      isFine: true,
    },
    {
      rule: 'with a port has no other',
      url: 'http://idp.localhost:82/',
      allowed: 'idp.localhost:81',
      isFine: false,
    },
    {
      rule: 'may have the port of its scheme',
      url: 'https://10.0.0.1/',
      allowed: '10.0.0.1:443',
      isFine: true,
    },
    { rule: 'may be IPv6 without brackets', url: 'http://[::1]:81/', allowed: '::1', isFine: true },
    {
      rule: 'may be IPv6 with brackets',
      url: 'http://[::1]:81/',
      allowed: '[::1]:81',
      isFine: true,
    },
    {
      rule: 'does not open what is below it',
      url: 'http://a.localhost/',
      allowed: 'localhost',
      isFine: false,
    },
    {
      rule: 'may have a closed port',
      url: 'http://mail.corp:25/',
      allowed: 'mail.corp',
      isFine: true,
    },
    {
      rule: 'still has no credentials',
      url: 'http://a:b@mail.corp/',
      allowed: 'mail.corp',
      isFine: false,
    },
  ])('$rule', ({ url, allowed, isFine }) => {
    expect(refusalOf(url, [allowed]) === 'allowed').toBe(isFine);
  });
});
