// Errors in the description of an application: their body, and a response for each kind of refusal.
import { ERRORS, type ErrorRow } from '#libs/errors';

/** The schema of the body of every error. */
export const errorSchema = {
  type: 'object',
  description: 'The body of every answer that is an error.',
  required: ['message', 'code', 'status', 'requestId'],
  properties: {
    message: { type: 'string', description: 'What is wrong, for people.' },
    code: {
      type: 'string',
      description:
        'What is wrong, for programs: one of the codes of this service, or a SQLSTATE of PostgreSQL.',
      examples: ['INVALID_INPUT', '42501'],
    },
    status: { type: 'integer', description: 'The status of the answer.' },
    details: { description: 'Facts that a program may read.' },
    hint: { type: 'string', description: 'How to get it right.' },
    requestId: { type: 'string', description: 'Also in the header `x-request-id`.' },
  },
};

/** The names of the responses below, by status. */
export const refusalNames: Readonly<Record<string, string>> = {
  '400': 'Invalid',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'NotFound',
  '429': 'TooManyRequests',
};
const refusalWords: Readonly<Record<string, string>> = {
  '400': 'The request is not valid',
  '401': 'The request has no valid credential',
  '403': 'The caller lacks the permission',
  '404': 'Not found',
  '429': 'Too many requests; the header `Retry-After` says when to try again',
};

/** One response for each of these statuses, with the codes that it may carry. */
export const errorResponses: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.entries(refusalNames).map(([status, name]) => [
      name,
      refusal(`${refusalWords[status]}. Codes: ${codesOf(Number(status)).join(', ')}.`),
    ]),
  ),
  Refused: refusal('Any other error, in the same shape'),
};

function refusal(description: string): object {
  const schema = { $ref: '#/components/schemas/Error' };
  return { description, content: { 'application/json': { schema } } };
}

function codesOf(status: number): readonly string[] {
  return Object.entries<ErrorRow>(ERRORS)
    .filter(([, row]) => row.status === status)
    .map(([name, { publicCode = name }]) => `\`${publicCode}\``);
}
