// Recognises our own statements that cannot have run code of the project, and so have left nothing in their session.

// A parenthesis after any other word may call a function of the project. The functions among these words cannot be
// replaced: the search path of a clean session begins with pg_catalog.
const harmlessWords =
  'from|where|in|and|or|not|exists|any|array|lateral|over|least|now|count|lower|coalesce|encode|decode|json_build_object|make_interval';
// Functions that run no code of a project and change no settings beyond their transaction.
const ownFunctions = String.raw`realtime\.(?:read|open|trim|epoch|current_position|outlives)|pg_catalog\.(?:rowhouse_running|pg_current_snapshot|pg_snapshot_xip)|storage\.(?:reserve|extend|release|commit)_upload|pg_catalog\.(?:json_agg|json_build_object|current_setting|concat|octet_length|pg_column_compression|strpos|sum)`;
const harmlessParenthesis = String.raw`(?<=(?<![.\w"])(?:${harmlessWords}|${ownFunctions})\s*|[,=(]\s*)\(`;

// Inserting into a table of the platform runs only its own triggers: a project cannot create any there, and nothing
// cascades.
const plainInsert =
  /^insert into "auth"\."\w+" \((?:"\w+"(?:, )?)+\) values \((?:\$\d+(?:, )?)+\)(?: returning \*)?$/;

const plainRead = new RegExp(String.raw`^\s*select(?!\w)(?:[^(;]|${harmlessParenthesis})*$`, 'i');

/**
 * Whether a statement in a clean session is one `select` that calls no function of the project, or the insert of a row
 * into a table of accounts. May return false for a harmless statement, too.
 */
export function leavesNothing(statement: string): boolean {
  const known = verdicts.get(statement);
  if (known !== undefined) return known;
  const verdict = plainRead.test(statement) || plainInsert.test(statement);
  if (verdicts.size < maxVerdicts) verdicts.set(statement, verdict);
  return verdict;
}

/** The same statements occur again and again, and reading one takes longer than preparing it. */
const verdicts = new Map<string, boolean>();
const maxVerdicts = 1_000;
