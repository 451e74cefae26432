/** A row of `pg_policy` whose roles include the caller's; expressions are the texts of `pg_get_expr`. */
export interface PolicyRow {
  readonly isPermissive: boolean;
  /** `polcmd`: select, insert, update, delete, or all. */
  readonly command: 'r' | 'a' | 'w' | 'd' | '*';
  /** `polqual`: USING. */
  readonly using: string | undefined;
  /** `polwithcheck`: WITH CHECK. */
  readonly check: string | undefined;
}

/** A policy with the expression that decides on what is done: USING for reading. */
export interface PolicyCondition {
  readonly isPermissive: boolean;
  readonly condition: string;
}

/**
 * The policies that have an effect. One without an expression grants nothing and restricts nothing: PostgreSQL adds none
 * to the query (add_security_quals in rowsecurity.c), so a permissive policy with WITH CHECK alone allows no reading.
 */
export function effectivePolicies<Policy extends { readonly condition: string | null | undefined }>(
  policies: readonly Policy[],
): readonly (Policy & { readonly condition: string })[] {
  return policies.filter(
    (policy): policy is Policy & { readonly condition: string } =>
      typeof policy.condition === 'string',
  );
}

/**
 * The condition under which policies let a caller read a row (`select`) or add it (`insert`), as one SQL expression: that
 * of {@link combineConditions}. Without WITH CHECK, USING decides on what is added.
 */
export function combinePolicies(rows: readonly PolicyRow[], action: 'select' | 'insert'): string {
  const command = action === 'select' ? 'r' : 'a';
  const used = rows.filter((row) => row.command === command || row.command === '*');
  const policies = used.map(({ isPermissive, using, check }) => ({
    isPermissive,
    condition: action === 'select' ? using : (check ?? using),
  }));
  return combineConditions(effectivePolicies(policies));
}

/** Any permissive policy, and all restrictive ones, as one SQL expression; `false` without a permissive one. */
export function combineConditions(policies: readonly PolicyCondition[]): string {
  const conditionsOf = (isPermissive: boolean): readonly string[] =>
    policies
      .filter((policy) => policy.isPermissive === isPermissive)
      .map(({ condition }) => `(${condition})`);
  const permissive = conditionsOf(true);
  if (permissive.length === 0) return 'false';
  return [`(${permissive.join(' or ')})`, ...conditionsOf(false)].join(' and ');
}
