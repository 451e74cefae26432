// What the screen reads. Accounts and sessions are shown to administrators of the deployment, memberships and
// invitations to operators with `members.manage` in an organization.
import { queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';

export type Operator = Schemas['OperatorReply'];
export type Membership = Schemas['MembershipView'];
export type Invitation = Schemas['InvitationReply'] & { readonly organizationId: string };

/** The most that one answer has. */
export const operatorsPerPage = 200;
export const membershipsPerPage = 1000;
export const invitationsPerPage = 200;

/** All that the screen shows is cached under keys that begin so. */
export const operatorsKey = ['operators'] as const;

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** All rows of a list that comes in pages. */
async function readAll<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    // Each page begins where the one before has ended.
    const page = await read(cursor);
    all.push(...page.rows);
    cursor = page.next;
  }
  return all;
}

/** All operators of the deployment. */
export const operatorsQuery = queryOptions({
  queryKey: [...operatorsKey, 'accounts'],
  queryFn: (): Promise<readonly Operator[]> =>
    readAll(async (after) => {
      const query = { limit: operatorsPerPage, ...(after !== undefined && { after }) };
      const page = await answer(api.GET('/platform/operators', { params: { query } }));
      return { rows: page.operators, next: page.next };
    }),
  refetchInterval: refreshMs,
});

/** All memberships in the organizations whose members the operator manages. */
export const membershipsQuery = queryOptions({
  queryKey: [...operatorsKey, 'memberships'],
  queryFn: (): Promise<readonly Membership[]> =>
    readAll(async (after) => {
      const query = { limit: membershipsPerPage, ...(after !== undefined && { after }) };
      const page = await answer(api.GET('/platform/memberships', { params: { query } }));
      return { rows: page.memberships, next: page.next };
    }),
  refetchInterval: refreshMs,
});

/** The open invitations of these organizations. */
export const invitationsQuery = (organizationIds: readonly string[]) =>
  queryOptions({
    queryKey: [...operatorsKey, 'invitations', organizationIds],
    queryFn: async (): Promise<readonly Invitation[]> => {
      const found: Invitation[] = [];
      for (const organizationId of organizationIds) {
        // One after the other: there may be many organizations.
        const rows = await readAll(async (before) => {
          const query = {
            organizationId,
            limit: invitationsPerPage,
            ...(before !== undefined && { before }),
          };
          const page = await answer(
            api.GET('/platform/operators/invitations', { params: { query } }),
          );
          return { rows: page.invitations, next: page.next };
        });
        found.push(...rows.map((row) => ({ ...row, organizationId })));
      }
      return found;
    },
    refetchInterval: refreshMs,
  });

/** The open sessions of an operator. */
export const sessionsOfQuery = (id: string) =>
  queryOptions({
    queryKey: [...operatorsKey, 'sessions', id],
    queryFn: () =>
      answer(api.GET('/platform/operators/{id}/sessions', { params: { path: { id } } })),
    refetchInterval: refreshMs,
    retry: false,
  });
