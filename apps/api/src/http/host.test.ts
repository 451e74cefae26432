import { expect, test } from 'vitest';

import { hostOf, pathOfTarget } from './host.js';

test.each([
  { name: 'a plain name', header: 'abc.example.org', host: 'abc.example.org' },
  { name: 'a port is left out', header: 'abc.example.org:8000', host: 'abc.example.org' },
  { name: 'an empty port is left out', header: 'abc.example.org:', host: 'abc.example.org' },
  { name: 'case does not matter', header: 'ABC.Example.ORG', host: 'abc.example.org' },
  { name: 'the trailing dot is left out', header: 'abc.example.org.', host: 'abc.example.org' },
  { name: 'trailing dot and port', header: 'abc.example.org.:80', host: 'abc.example.org' },
  { name: 'an IPv4 address', header: '127.0.0.1:8000', host: '127.0.0.1' },
  { name: 'an IPv6 address', header: '[::1]:8000', host: '[::1]' },
])('Host: $name', ({ header, host }) => {
  expect(hostOf(header)).toBe(host);
});

test.each([
  { name: 'none', header: undefined },
  { name: 'an empty one', header: '' },
  { name: 'a user part', header: 'abc@example.org' },
  { name: 'a path', header: 'example.org/abc' },
  { name: 'two names', header: 'a.example.org, b.example.org' },
  { name: 'a blank', header: 'a.example.org b' },
  { name: 'two dots', header: 'a..example.org' },
  { name: 'a very long one', header: 'a'.repeat(300) },
])('Host: $name is refused', ({ header }) => {
  expect(() => hostOf(header)).toThrow('There is no project at this address');
});

test.each([
  { name: 'origin form', target: '/rest/v1/a?b=c', path: '/rest/v1/a?b=c' },
  { name: 'absolute form of the same host', target: 'http://a.test/x?y', path: '/x?y' },
  { name: 'absolute form without a path', target: 'http://a.test', path: '/' },
  {
    name: 'absolute form of another host',
    target: 'http://b.test/x',
    path: '/.mismatched-authority',
  },
  { name: 'asterisk form', target: '*', path: '/.mismatched-authority' },
])('target: $name', ({ target, path }) => {
  expect(pathOfTarget(target, 'a.test')).toBe(path);
});
