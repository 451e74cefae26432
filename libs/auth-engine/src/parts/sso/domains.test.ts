import { expect, test } from 'vitest';
import { domainOfAddress, parseDomains } from './domains.js';

test.each([
  { list: 'Example.com', domains: ['example.com'] },
  { list: 'a.com, B.com,a.COM', domains: ['a.com', 'b.com'] },
  { list: 'bücher.example', domains: ['xn--bcher-kva.example'] },
])('$list are $domains', ({ list, domains }) => {
  expect(parseDomains(list)).toEqual(domains);
});

test.each([
  '',
  'com',
  'localhost',
  'https://corp.com',
  'corp.com/path',
  'a@corp.com',
  'corp..com',
  '-corp.com',
  'corp-.com',
  '*.corp.com',
  '10.0.0.1',
  'corp.com,',
  'phone.local',
  'anonymous.local',
  'gmail.com',
  'GMAIL.com',
  'yahoo.co.uk',
  'hotmail.fr',
  'corp.com,outlook.com',
  `${'a'.repeat(64)}.com`,
  Array.from({ length: 21 }, (_, index) => `a${index}.com`).join(','),
])('%j is refused', (list) => {
  expect(() => parseDomains(list)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

test.each([
  { address: 'a@Corp.com', domain: 'corp.com' },
  { address: 'a@bücher.example', domain: 'xn--bcher-kva.example' },
  { address: 'a@victim.com@corp.com', domain: undefined },
  { address: '"a@victim.com"@corp.com', domain: undefined },
  { address: 'a@corp.com,b@victim.com', domain: undefined },
  { address: 'a b@corp.com', domain: undefined },
  { address: 'corp.com', domain: undefined },
  { address: '@corp.com', domain: undefined },
  { address: 'a@', domain: undefined },
  { address: 'a@corp.com/b', domain: undefined },
  { address: 'a@corp.com#b', domain: undefined },
])('the domain of $address is $domain', ({ address, domain }) => {
  expect(domainOfAddress(address)).toBe(domain);
});
