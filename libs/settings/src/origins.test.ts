import { describe, expect, test } from 'vitest';
import { formatProblem } from './formats.js';
import { allowedOrigins, isAllowedOrigin } from './origins.js';

describe('redirect addresses', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com/callback?x=1',
    'http://localhost:3000',
    'http://localhost:*',
    'http://127.0.0.1:*/x',
    'https://*.example.com',
    'https://*.example.com:8443',
    'http://*.localhost:*',
    'myapp://callback',
    'com.example.app://sign-in/done',
  ])('%s is allowed', (value) => {
    expect(formatProblem('redirect-url', value)).toBeUndefined();
  });

  test.each([
    '*',
    'https://*',
    'https://*.com',
    'https://*:*',
    'https://*example.com',
    'https://a.*.example.com',
    'https://*.example.com@evil.com',
    'https://user:password@example.com',
    'https://example.com\\@evil.com',
    'javascript://alert(1)',
    'data://text',
    'file:///etc/passwd',
    '//example.com',
    'example.com',
    'myapp:callback',
    'http://',
  ])('%s is refused', (value) => {
    expect(formatProblem('redirect-url', value)).toMatch(/^must be a URL such as/);
  });
});

describe('origins', () => {
  const allowed = allowedOrigins({
    siteUrl: 'https://App.example.com/start',
    redirectUrls: [
      'https://app.example.com/other',
      'https://*.Preview.example',
      'http://localhost:*',
      'myapp://callback',
    ],
  });

  test('are taken from both fields, without paths and duplicates', () => {
    expect(allowed).toEqual([
      'https://app.example.com',
      'https://*.preview.example',
      'http://localhost:*',
      'myapp://callback',
    ]);
  });

  test.each([
    { origin: 'https://app.example.com', allows: true },
    { origin: 'http://app.example.com', allows: false },
    { origin: 'https://app.example.com:444', allows: false },
    { origin: 'https://a.preview.example', allows: true },
    { origin: 'https://a.b.preview.example', allows: true },
    { origin: 'https://preview.example', allows: false },
    { origin: 'https://evilpreview.example', allows: false },
    { origin: 'https://a.preview.example.evil.com', allows: false },
    { origin: 'https://a.preview.example:444', allows: false },
    { origin: 'http://localhost', allows: true },
    { origin: 'http://localhost:5173', allows: true },
    { origin: 'http://localhost.evil.com', allows: false },
    { origin: 'https://app.example.com/', allows: false },
    { origin: 'null', allows: false },
    { origin: '', allows: false },
    { origin: 'myapp://callback', allows: false },
  ])('$origin: $allows', ({ origin, allows }) => {
    expect(isAllowedOrigin(origin, allowed)).toBe(allows);
  });
});
