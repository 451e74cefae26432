import { describe, expect, test } from 'vitest';
import { readResponseSettings } from './response-settings.js';

const headersOf = (text: string) => readResponseSettings([null, text]).headers;

describe('what a function has set', () => {
  test.each([
    { name: 'nothing', texts: [null, null] },
    { name: 'what is left of an earlier transaction', texts: ['', ''] },
    { name: 'no answer', texts: [] },
  ])('$name', ({ texts }) => {
    expect(readResponseSettings(texts)).toEqual({ status: undefined, headers: {} });
  });

  test('a status', () => {
    expect(readResponseSettings(['418', null]).status).toBe(418);
  });

  test('a cookie of its own', () => {
    expect(headersOf('[{"Set-Cookie":"theme=dark; Path=/; Secure"}]')).toEqual({
      'set-cookie': 'theme=dark; Path=/; Secure',
    });
  });

  test('headers, their names in lower case, those of one name as one list', () => {
    expect(headersOf('[{"X-A":"1"},{"x-b":"é"},{"x-a":"2"}]')).toEqual({
      'x-a': '1, 2',
      'x-b': 'é',
    });
  });
});

describe('refused', () => {
  test.each(['2', '99', '199', '600', '200 OK', ' 200', 'x'])('the status %s', (status) => {
    expect(() => readResponseSettings([status, null])).toThrow(
      expect.objectContaining({
        code: 'DATABASE_ERROR',
        status: 500,
        message: expect.stringContaining('response.status'),
      }),
    );
  });

  test.each([
    'x',
    'null',
    '{}',
    '{"a":"b"}',
    '["a"]',
    '[null]',
    '[{}]',
    '[{"a":"1","b":"2"}]',
    '[{"a":1}]',
    '[{"a b":"1"}]',
    '[{"":"1"}]',
    '[{"a":"x\\r\\nset-cookie: y"}]',
    '[{"a":"\\u0000"}]',
    '[{"a":"日"}]',
    '[{"Content-Length":"0"}]',
    '[{"transfer-encoding":"chunked"}]',
    '[{"X-Accel-Redirect":"/internal/file"}]',
    '[{"x-sendfile":"/etc/passwd"}]',
    '[{"Set-Cookie":"=better-auth.session_token=x"}]',
    '[{"Set-Cookie":"better-auth.session_token"}]',
    '[{"Set-Cookie":"a=1; Domain=example.org"}]',
    '[{"set-cookie":"a=1; Path=/;domain = example.org"}]',
    '[{"Set-Cookie":"better-auth.session_token=x; Path=/rest"}]',
    '[{"Set-Cookie":"a=1"},{"Set-Cookie":"__Host-better-auth.session_token=x; Secure"}]',
  ])('the headers %s', (headers) => {
    expect(() => headersOf(headers)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('response.headers') }),
    );
  });
});
