// Bytes that are no request of HTTP get an answer like every other mistake, from both applications.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sendRaw } from '../isolation/raw-request.js';
import { Deployment } from '../support/deployment.js';

let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.shared();
});
afterAll(() => deployment.close());

const applications = ['apiOrigin', 'consoleOrigin'] as const;
const tooMuch = `x-much: ${'x'.repeat(40_000)}`;

const broken = [
  { name: 'NUL in the path', lines: ['GET /rest/v1/\0items HTTP/1.1', 'host: a.localhost'] },
  { name: 'NUL in a header', lines: ['GET / HTTP/1.1', 'host: a.localhost', 'prefer: \0'] },
  { name: 'a blank in the path', lines: ['GET /rest/v1/a b HTTP/1.1', 'host: a.localhost'] },
  { name: 'an unknown method', lines: ['FETCH / HTTP/1.1', 'host: a.localhost'] },
  { name: 'no HTTP at all', lines: ['hello'] },
  {
    name: 'two lengths of the body',
    lines: ['POST / HTTP/1.1', 'host: a.localhost', 'content-length: 1', 'content-length: 2'],
  },
  {
    name: 'headers without end',
    lines: ['GET / HTTP/1.1', 'host: a.localhost', tooMuch],
    status: 431,
    code: 'HEADERS_TOO_LARGE',
  },
];

test.each(applications.flatMap((application) => broken.map((row) => ({ ...row, application }))))(
  '$name is refused by $application',
  async ({ application, lines, status = 400, code = 'INVALID_REQUEST' }) => {
    const reply = await sendRaw(deployment[application], lines);
    expect(reply.status).toBe(status);
    const [head = '', body = ''] = reply.text.split('\r\n\r\n');
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/m);
    expect(JSON.parse(body)).toEqual({
      message: expect.any(String),
      code,
      status,
      requestId: expect.stringMatching(/./),
    });
  },
);
