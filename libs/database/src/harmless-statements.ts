// Which statements of our own can have run no code of the project, and so have left nothing in their session.

// A parenthesis behind another word than these may call a function of the project. Those here that are
// functions cannot be taken over: the search path of a clean session begins with pg_catalog.
const harmlessWords =
  'from|where|in|and|or|not|exists|any|now|count|lower|coalesce|encode|decode|json_build_object|make_interval';
// Functions that run none of a project and change no settings beyond their transaction.
const ownFunctions = String.raw`storage\.(?:reserve|extend|release|commit)_upload|pg_catalog\.(?:json_agg|json_build_object|current_setting)`;
const harmlessParenthesis = String.raw`(?<=(?<![.\w"])(?:${harmlessWords}|${ownFunctions})\s*|[,=(]\s*)\(`;

// Inserting into a table of the platform runs its triggers alone: a project can make none there, and nothing
// cascades.
const plainInsert =
  /^insert into "auth"\."\w+" \((?:"\w+"(?:, )?)+\) values \((?:\$\d+(?:, )?)+\)(?: returning \*)?$/;

const plainRead = new RegExp(String.raw`^\s*select(?!\w)(?:[^(;]|${harmlessParenthesis})*$`, 'i');

/**
 * Whether a statement in a clean session is one `select` that calls no function of the project, or the insert of
 * a row into a table of accounts. `false` may be said of a harmless one, too.
 */
export function leavesNothing(statement: string): boolean {
  const known = verdicts.get(statement);
  if (known !== undefined) return known;
  const verdict = plainRead.test(statement) || plainInsert.test(statement);
  if (verdicts.size < maxVerdicts) verdicts.set(statement, verdict);
  return verdict;
}

/** The same statements come again and again, and reading one takes longer than preparing it. */
const verdicts = new Map<string, boolean>();
const maxVerdicts = 1_000;
