import { expect, test } from 'vitest';
import { hostName, parseCustomDomain } from './host-name.js';

test.each([
  { name: 'a host name', text: 'api.example.org', domain: 'api.example.org' },
  {
    name: 'upper case and the dot at the end',
    text: 'API.Example.org.',
    domain: 'api.example.org',
  },
  { name: 'letters beyond ASCII', text: 'bücher.example', domain: 'xn--bcher-kva.example' },
  { name: 'one that only ends like the root domain', text: 'notrows.test', domain: 'notrows.test' },
])('accepted: $name', ({ text, domain }) => {
  expect(parseCustomDomain(text, 'rows.test')).toBe(domain);
});

test.each([
  { name: 'empty', text: '' },
  { name: 'a scheme', text: 'https://example.org' },
  { name: 'a port', text: 'example.org:80' },
  { name: 'a path', text: 'example.org/x' },
  { name: 'a user', text: 'a@example.org' },
  { name: 'a wildcard', text: '*.example.org' },
  { name: 'a space', text: 'exa mple.org' },
  { name: 'an encoded dot', text: 'example%2eorg' },
  { name: 'an IPv4 address', text: '127.0.0.1' },
  { name: 'a short IPv4 address', text: '127.1' },
  { name: 'a hexadecimal address', text: '1.0x7f' },
  { name: 'an IPv6 address', text: '[::1]' },
  { name: 'a single label', text: 'intranet' },
  { name: 'a name below localhost', text: 'shop.localhost' },
  { name: 'an empty label', text: 'a..example.org' },
  { name: 'a hyphen at the edge', text: '-a.example.org' },
  { name: 'a long label', text: `${'a'.repeat(64)}.org` },
  { name: 'the root domain', text: 'rows.test' },
  { name: 'a name below the root domain', text: 'shop.rows.test' },
  { name: 'a name below the root domain in full-width letters', text: 'shop.ｒows.test' },
])('refused: $name', ({ text }) => {
  expect(() => parseCustomDomain(text, 'rows.test')).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

test.each([
  ['Shop.Example.org:8000', 'shop.example.org'],
  ['shop.example.org.', 'shop.example.org'],
  ['shop.example.org.:80', 'shop.example.org'],
])('the host name of %s', (header, name) => {
  expect(hostName(header)).toBe(name);
});
