import { AppError, fail } from '#libs/errors';
import { type Credential, isRecord } from '#libs/wire';

import type { RestProject } from './execute.js';
import { MENTIONED_NAMES_SQL } from './mentioned-names.sql.js';

/** An error as its caller may see it, and the schema version at that moment. */
export interface Refusal {
  readonly refusal: AppError;
  readonly schemaVersion: string;
}

/**
 * Returns `error` for the caller behind `credential`: without its hint and details when they mention a
 * table, a column or a function on which the caller has no right.
 */
export async function refusalFor(
  project: RestProject,
  credential: Credential,
  error: AppError,
): Promise<Refusal> {
  if (error.mentions.length === 0) {
    const { schemaVersion } = await project.db.resolveCaller(credential);
    return { refusal: error, schemaVersion };
  }
  const queries = [{ text: MENTIONED_NAMES_SQL, values: [JSON.stringify(error.mentions)] }];
  const reply = await project.db.runTable({ credential, queries, readOnly: true });
  const mayMention = reply.results[0]?.rows.first(0).toString('utf8') === 'true';
  const refusal = mayMention ? error : withoutMentions(error);
  return { refusal, schemaVersion: reply.schemaVersion };
}

function withoutMentions({ code, status, message, details, headers, cause }: AppError): AppError {
  // The index of an operation of a batch is no name of the database.
  const operation = isRecord(details) ? details['operation'] : undefined;
  return fail(
    'DATABASE_ERROR',
    {},
    {
      publicCode: code,
      status,
      message,
      headers,
      cause,
      ...(operation !== undefined && { details: { operation } }),
    },
  );
}
