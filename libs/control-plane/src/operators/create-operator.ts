import { createId } from '@paralleldrive/cuid2';
import type { EntityManager } from 'typeorm';

export interface NewOperator {
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isDeploymentAdmin: boolean;
  readonly mustChangePassword: boolean;
}

/** Returns the id of the new operator, or undefined if the email address already belongs to one. */
export async function createOperator(
  manager: EntityManager,
  operator: NewOperator,
): Promise<string | undefined> {
  const rows: { id: string }[] = await manager.query(
    `insert into operator (id, email, name, is_deployment_admin, must_change_password)
     values ($1, $2, $3, $4, $5) on conflict (email) do nothing returning id`,
    [
      createId(),
      operator.email,
      operator.name,
      operator.isDeploymentAdmin,
      operator.mustChangePassword,
    ],
  );
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  await manager.query(
    `insert into operator_account (id, operator_id, provider_id, account_id, password)
     values ($1, $2, 'credential', $2, $3)`,
    [createId(), id, operator.passwordHash],
  );
  return id;
}
