import { expect, test } from 'vitest';
import { logRules } from '#libs/errors';
import { mailError } from './mail-error.js';

class SocketError extends Error {
  override readonly name = 'SocketError';
}

/** A failure whose stack says where it was thrown. */
function thrownHere(message: string, fields: object = {}): Error {
  return Object.assign(new SocketError(message), fields);
}

test('the cause keeps its name and where it was thrown', () => {
  const { cause } = mailError(thrownHere('closed', { code: 'ESOCKET' }), []);
  expect(cause).toMatchObject({ name: 'SocketError', message: 'ESOCKET: closed' });
  const stack = cause instanceof Error ? cause.stack : undefined;
  expect(stack).toMatch(/^SocketError: ESOCKET: closed\n {4}at thrownHere /);
});

test('a cause without a code begins with its message', () => {
  expect(mailError(thrownHere('closed'), []).cause).toMatchObject({ message: 'closed' });
});

test('nothing that was sent is in the cause, also in a message of several lines', () => {
  const failure = thrownHere('no:\n    at 482913 (file:///482913.js:1:1)', { code: 'EMESSAGE' });
  const logged = JSON.stringify(logRules.serializers.err(mailError(failure, ['482913'])));
  expect(logged).toContain('EMESSAGE: no:');
  expect(logged).not.toContain('482913');
});
