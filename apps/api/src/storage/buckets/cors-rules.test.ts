import { describe, expect, test } from 'vitest';

import type { CorsQuestion } from '../../http/cors.js';
import { answerByRules, type CorsRule } from './cors-rules.js';

const app = 'https://app.example.org';

function rule(fields: Partial<CorsRule> = {}): CorsRule {
  return {
    origins: [app],
    methods: ['GET'],
    allowedHeaders: [],
    exposedHeaders: [],
    maxAgeSeconds: 600,
    ...fields,
  };
}

const request = (origin: string, method = 'GET'): CorsQuestion => ({
  kind: 'request',
  origin,
  method,
});
const preflight = (method: string, headers: readonly string[] = []): CorsQuestion => ({
  kind: 'preflight',
  origin: app,
  method,
  headers,
});
const originIn = (rules: readonly CorsRule[], question: CorsQuestion) =>
  answerByRules(rules, question)['access-control-allow-origin'];

describe('origins', () => {
  test.each([
    { name: 'the very origin', allowed: app, origin: app, answer: app },
    { name: 'another scheme', allowed: app, origin: 'http://app.example.org' },
    { name: 'another port', allowed: app, origin: 'https://app.example.org:8443' },
    {
      name: 'a domain that begins like it',
      allowed: app,
      origin: 'https://app.example.org.evil.net',
    },
    { name: 'a domain that ends like it', allowed: app, origin: 'https://evilapp.example.org' },
    { name: 'a user name like it', allowed: app, origin: 'https://app.example.org@evil.net' },
    { name: 'a letter in place of a dot', allowed: app, origin: 'https://appxexample.org' },
    { name: 'a path behind it', allowed: app, origin: `${app}/` },
    { name: 'no origin at all', allowed: app, origin: 'null' },
    {
      name: 'a subdomain of a wildcard',
      allowed: 'https://*.example.org',
      origin: 'https://a.example.org',
      answer: 'https://a.example.org',
    },
    {
      name: 'a deep subdomain of a wildcard',
      allowed: 'https://*.example.org',
      origin: 'https://a.b.example.org',
      answer: 'https://a.b.example.org',
    },
    {
      name: 'the domain of a wildcard',
      allowed: 'https://*.example.org',
      origin: 'https://example.org',
    },
    {
      name: 'a domain that ends like a wildcard',
      allowed: 'https://*.example.org',
      origin: 'https://evilexample.org',
    },
    {
      name: 'a domain that holds a wildcard',
      allowed: 'https://*.example.org',
      origin: 'https://a.example.org.evil.net',
    },
    { name: 'any origin of the star', allowed: '*', origin: 'https://elsewhere.net', answer: '*' },
    { name: 'no origin of the star', allowed: '*', origin: 'null', answer: '*' },
  ])('$name: $answer', ({ allowed, origin, answer }) => {
    expect(originIn([rule({ origins: [allowed] })], request(origin))).toBe(answer);
  });
});

describe('requests', () => {
  test.each([
    { name: 'a listed method', method: 'POST', methods: ['POST'], isCovered: true },
    { name: 'another method', method: 'DELETE', methods: ['GET', 'POST'], isCovered: false },
    { name: 'HEAD where GET is listed', method: 'HEAD', methods: ['GET'], isCovered: true },
    { name: 'HEAD where it is listed', method: 'HEAD', methods: ['HEAD'], isCovered: true },
    { name: 'GET where HEAD is listed', method: 'GET', methods: ['HEAD'], isCovered: false },
  ])('$name is covered: $isCovered', ({ method, methods, isCovered }) => {
    expect(originIn([rule({ methods })], request(app, method)) === app).toBe(isCovered);
  });

  test('never allow cookies and always vary by origin', () => {
    const rules = [rule({ origins: ['*', app], exposedHeaders: ['etag', 'x-page'] })];
    expect(answerByRules(rules, request(app))).toEqual({
      vary: 'Origin',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'www-authenticate, x-request-id, retry-after, etag, x-page',
    });
    expect(answerByRules(rules, request(app, 'PUT'))).toEqual({ vary: 'Origin' });
  });

  test('expose what is read of every answer, also without exposed headers, and nothing twice', () => {
    const exposedBy = (...exposedHeaders: string[]) =>
      answerByRules([rule({ exposedHeaders })], request(app))['access-control-expose-headers'];
    expect(exposedBy()).toBe('www-authenticate, x-request-id, retry-after');
    expect(exposedBy('retry-after')).toBe('www-authenticate, x-request-id, retry-after');
    expect(exposedBy('*')).toBe('www-authenticate, x-request-id, retry-after, *');
  });

  test('go by the first rule that covers them', () => {
    const rules = [
      rule({ methods: ['POST'], exposedHeaders: ['x-first'] }),
      rule({ exposedHeaders: ['x-second'] }),
      rule({ exposedHeaders: ['x-third'] }),
    ];
    const exposed = answerByRules(rules, request(app))['access-control-expose-headers'];
    expect(exposed).toBe('www-authenticate, x-request-id, retry-after, x-second');
  });
});

describe('preflights', () => {
  test('learn methods, the headers asked for, and for how long', () => {
    const rules = [
      rule({ methods: ['GET', 'POST'], allowedHeaders: ['x-a', 'x-b'], maxAgeSeconds: 5 }),
    ];
    expect(answerByRules(rules, preflight('POST', ['x-b']))).toEqual({
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'x-b',
      'access-control-max-age': '5',
    });
  });

  test.each([
    { name: 'no headers', allowed: [], headers: [], isCovered: true },
    { name: 'a listed header', allowed: ['x-a'], headers: ['x-a'], isCovered: true },
    { name: 'one header of two', allowed: ['x-a'], headers: ['x-a', 'x-b'], isCovered: false },
    { name: 'any header of the star', allowed: ['*'], headers: ['authorization'], isCovered: true },
    { name: 'what is no header', allowed: ['*'], headers: ['x-a: b'], isCovered: false },
  ])('for $name are covered: $isCovered', ({ allowed, headers, isCovered }) => {
    const answer = answerByRules([rule({ allowedHeaders: allowed })], preflight('GET', headers));
    expect('access-control-allow-origin' in answer).toBe(isCovered);
    expect(answer['access-control-allow-headers']).toBe(
      isCovered && headers.length > 0 ? headers.join(', ') : undefined,
    );
  });

  test('without a rule allow nothing', () => {
    expect(Object.keys(answerByRules([], preflight('GET')))).toEqual(['vary']);
  });
});
