import { queryRows, type EnginePool } from '../../engine-pool.js';

type Row = Readonly<Record<string, unknown>>;

const noMembership: Row = { org_id: null, org_role: null, team_id: null };

// The same rule as in auth.membership_claims, which belongs to the role of table requests.
const membershipStatement = `
  select m."organizationId" as org_id, m.role as org_role, t.id as team_id
  from auth.session s
  join auth.member m on m."organizationId" = s."activeOrganizationId" and m."userId" = s."userId"
  left join auth."teamMember" tm on tm."teamId" = s."activeTeamId" and tm."userId" = s."userId"
  left join auth.team t on t.id = tm."teamId" and t."organizationId" = m."organizationId"
  where s.id = $1`;

/** The claims of a session's active organization and team, as far as the membership is there now. */
export async function membershipClaims(pool: EnginePool, sessionId: string): Promise<Row> {
  const [found] = await queryRows<Row>(pool, membershipStatement, [sessionId]);
  return found ?? noMembership;
}
