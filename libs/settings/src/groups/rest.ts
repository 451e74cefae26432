import { defineGroup } from '../define-group.js';
import { integer, list } from '../field.js';

/** The limit of a statement of a request; connections are opened with it, so that most requests need not set it. */
export const defaultStatementSeconds = 8;

const statementTimeout = (whom: string) =>
  integer({
    label: `Statement timeout of ${whom}`,
    help: 'A longer statement of a request is cancelled.',
    default: defaultStatementSeconds,
    range: [1, 60],
    unit: 's',
  });

export const rest = defineGroup('api.rest', {
  title: 'REST API',
  help: 'The REST API of tables and functions.',
  rebuilds: [],
  fields: {
    maxRows: integer({
      label: 'Maximum rows per answer',
      help: 'The default limit and the largest limit of a request.',
      default: 1000,
      range: [1, Number.MAX_SAFE_INTEGER],
      // The specification caps the setting (Limits).
      clamp: [1, 1000],
    }),
    maxBodyBytes: integer({
      label: 'Maximum size of a request body, in bytes',
      default: 10 * 1024 * 1024,
      range: [1024, 100 * 1024 * 1024],
    }),
    statementTimeoutAnon: statementTimeout('signed-out callers'),
    statementTimeoutAuthenticated: statementTimeout('users'),
    statementTimeoutService: statementTimeout('the secret key and operators'),
    functionSchemas: list({
      label: 'Further schemas with callable functions',
      help: 'Besides public. Clients select one in Accept-Profile or Content-Profile.',
      default: [],
      maxItems: 20,
      maxLength: 63,
    }),
    definerFunctions: list({
      label: 'SECURITY DEFINER functions that may be called',
      help: 'By name, or by schema and name: such functions run with the rights of their owner.',
      default: [],
      maxItems: 200,
      maxLength: 127,
    }),
  },
});
