// From the verdicts of policies on one row to the decision, as PostgreSQL combines them (manual, CREATE POLICY): for each
// command any permissive policy and all restrictive ones.
import type { PolicyVerdict, RowCommand, RowDecision } from './try-result.js';

/** A verdict, and the command of the request for which the policy was evaluated. */
export interface CommandVerdict {
  readonly command: RowCommand;
  readonly verdict: PolicyVerdict;
}

/** A row after all policies have evaluated it; without a decision it is allowed. */
export interface EvaluatedRow {
  readonly decision: RowDecision | undefined;
  readonly verdicts: readonly PolicyVerdict[];
}

/** Returns the first command whose policies refuse the row. */
export function decide(
  {
    commands,
    clause,
  }: { readonly commands: readonly RowCommand[]; readonly clause: 'using' | 'check' },
  found: readonly CommandVerdict[],
): EvaluatedRow {
  const verdicts = found.map(({ verdict }) => verdict);
  for (const command of commands) {
    const own = found.filter((one) => one.command === command).map(({ verdict }) => verdict);
    const refusal = refusalOf(own);
    if (refusal) return { decision: { ...refusal, command, clause }, verdicts };
  }
  return { decision: undefined, verdicts };
}

type Refusal =
  | { readonly kind: 'no-policy' }
  | { readonly kind: 'no-permissive'; readonly policies: readonly string[] }
  | { readonly kind: 'restrictive'; readonly policy: string }
  | { readonly kind: 'error'; readonly policy: string; readonly message: string };

function refusalOf(verdicts: readonly PolicyVerdict[]): Refusal | undefined {
  const permissive = verdicts.filter(({ isPermissive }) => isPermissive);
  if (permissive.length === 0) return { kind: 'no-policy' };
  const isAllowed = permissive.some(({ result }) => result === 'true');
  // An error ends the whole request, unless another policy has already allowed the row.
  const failed = verdicts.find(
    ({ result, isPermissive }) => result === 'error' && !(isPermissive && isAllowed),
  );
  if (failed) {
    return { kind: 'error', policy: failed.policy, message: failed.message ?? '' };
  }
  if (!isAllowed) {
    return { kind: 'no-permissive', policies: permissive.map(({ policy }) => policy) };
  }
  const refusing = verdicts.find(({ isPermissive, result }) => !isPermissive && result !== 'true');
  return refusing && { kind: 'restrictive', policy: refusing.policy };
}
