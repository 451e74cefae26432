import { inEngineTransaction, type EnginePool } from '../../engine-pool.js';

/**
 * Ends all sessions of a user but this one. Sign-ins at the same moment end with exactly one session: they
 * wait for each other, and a session that was ended meanwhile ends no other. The same goes for a session that a
 * missing second factor took back.
 */
export async function endOtherSessions(
  pool: EnginePool,
  session: { readonly id: string; readonly userId: string },
): Promise<void> {
  const { id, userId } = session;
  await inEngineTransaction(pool, async (run) => {
    // The lock is a statement of its own: the next one then sees what its last holder committed.
    await run('select from auth."user" where id = $1 for no key update', [userId]);
    await run(
      `delete from auth.session where "userId" = $1 and id <> $2
       and exists (select from auth.session where id = $2)`,
      [userId, id],
    );
  });
}
