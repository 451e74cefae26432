/**
 * The organizations of a project's users: their members, invitations and teams. A call without an organization uses the
 * active one of the session.
 */
import type {
  FullOrganization,
  InOrganization,
  Invitation,
  Member,
  MemberQuery,
  Organization,
  OrganizationFields,
  OrganizationRole,
  Team,
  TeamMember,
} from './organization-types.js';
import { attempt, type AuthAnswer, type Wire } from './wire.js';

type Answered<Data> = Promise<AuthAnswer<Data>>;

interface ById {
  readonly invitationId: string;
}

interface Done {
  readonly message: string;
}

export class OrganizationClient {
  readonly #wire: Wire;

  /** @internal Created by the client. */
  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Creates an organization with the user as its owner, and makes it the active one. */
  create(
    fields: OrganizationFields & {
      /** Keeps the current active organization. */
      readonly keepCurrentActiveOrganization?: boolean;
    },
  ): Answered<Organization> {
    return this.#post('create', fields);
  }

  update(
    change: InOrganization & { readonly data: Partial<OrganizationFields> },
  ): Answered<Organization> {
    return this.#post('update', change);
  }

  delete(which: InOrganization = {}): Answered<unknown> {
    return this.#post('delete', which);
  }

  /** The organizations that the user is a member of. */
  list(): Answered<readonly Organization[]> {
    return this.#get('list');
  }

  /** An organization with its members, invitations and teams; null if none is active. */
  getFullOrganization(
    which: InOrganization & {
      readonly organizationSlug?: string;
      readonly membersLimit?: number;
    } = {},
  ): Answered<FullOrganization | null> {
    return this.#get('get-full-organization', which);
  }

  /** Makes an organization the active one of the session; with null as its id, none is active. */
  setActive(which: {
    readonly organizationId?: string | null;
    readonly organizationSlug?: string;
  }): Answered<Organization | null> {
    return this.#post('set-active', which);
  }

  /** Whether a slug is free. A slug that is taken is the error ORGANIZATION_SLUG_ALREADY_TAKEN. */
  checkSlug(which: { readonly slug: string }): Answered<{ readonly status: boolean }> {
    return this.#post('check-slug', which);
  }

  /** Ends the user's own membership. */
  leave(which: InOrganization = {}): Answered<unknown> {
    return this.#post('leave', which);
  }

  listMembers(
    query: MemberQuery = {},
  ): Answered<{ readonly members: readonly Member[]; readonly total: number }> {
    return this.#get('list-members', query);
  }

  /** The membership of the user in the active organization. */
  getActiveMember(): Answered<Member> {
    return this.#get('get-active-member');
  }

  getActiveMemberRole(
    which: InOrganization & { readonly userId?: string; readonly organizationSlug?: string } = {},
  ): Answered<{ readonly role: OrganizationRole }> {
    return this.#get('get-active-member-role', which);
  }

  removeMember(
    which: InOrganization & { readonly memberIdOrEmail: string },
  ): Answered<{ readonly member: Member }> {
    return this.#post('remove-member', which);
  }

  updateMemberRole(
    change: InOrganization & { readonly memberId: string; readonly role: OrganizationRole },
  ): Answered<Member> {
    return this.#post('update-member-role', change);
  }

  /** Whether the user has the given permissions: `hasPermission({ permissions: { invitation: ['create'] } })`. */
  hasPermission(
    question: InOrganization & {
      readonly permissions: Readonly<Record<string, readonly string[]>>;
    },
  ): Answered<{ readonly success: boolean }> {
    return this.#post('has-permission', question);
  }

  inviteMember(
    invitation: InOrganization & {
      readonly email: string;
      readonly role: OrganizationRole;
      readonly teamId?: string;
      /** Sends the mail of an open invitation again. */
      readonly resend?: boolean;
    },
  ): Answered<Invitation> {
    return this.#post('invite-member', invitation);
  }

  /** Joins the organization. If it is full, the error is ORGANIZATION_MEMBERSHIP_LIMIT_REACHED. */
  acceptInvitation(
    which: ById,
  ): Answered<{ readonly invitation: Invitation; readonly member: Member }> {
    return this.#post('accept-invitation', which);
  }

  rejectInvitation(which: ById): Answered<{ readonly invitation: Invitation }> {
    return this.#post('reject-invitation', which);
  }

  cancelInvitation(which: ById): Answered<Invitation> {
    return this.#post('cancel-invitation', which);
  }

  getInvitation(which: { readonly id: string }): Answered<Invitation> {
    return this.#get('get-invitation', which);
  }

  /** The invitations of an organization. */
  listInvitations(which: InOrganization = {}): Answered<readonly Invitation[]> {
    return this.#get('list-invitations', which);
  }

  /** The invitations to the user. */
  listUserInvitations(): Answered<readonly Invitation[]> {
    return this.#get('list-user-invitations');
  }

  createTeam(team: InOrganization & { readonly name: string }): Answered<Team> {
    return this.#post('create-team', team);
  }

  updateTeam(change: {
    readonly teamId: string;
    readonly data: { readonly name?: string };
  }): Answered<Team> {
    return this.#post('update-team', change);
  }

  removeTeam(which: InOrganization & { readonly teamId: string }): Answered<Done> {
    return this.#post('remove-team', which);
  }

  listTeams(which: InOrganization = {}): Answered<readonly Team[]> {
    return this.#get('list-teams', which);
  }

  /** Makes a team the active one of the session; with null as its id, none is active. */
  setActiveTeam(which: { readonly teamId: string | null }): Answered<Team | null> {
    return this.#post('set-active-team', which);
  }

  /** The teams that the user is a member of. */
  listUserTeams(): Answered<readonly Team[]> {
    return this.#get('list-user-teams');
  }

  listTeamMembers(which: { readonly teamId?: string } = {}): Answered<readonly TeamMember[]> {
    return this.#get('list-team-members', which);
  }

  /** Adds a member of the organization to a team. */
  addTeamMember(
    which: InOrganization & { readonly teamId: string; readonly userId: string },
  ): Answered<TeamMember> {
    return this.#post('add-team-member', which);
  }

  removeTeamMember(
    which: InOrganization & { readonly teamId: string; readonly userId: string },
  ): Answered<Done> {
    return this.#post('remove-team-member', which);
  }

  #get<Data>(operation: string, query?: object): Answered<Data> {
    return attempt(() => this.#wire.get(`/organization/${operation}`, query));
  }

  #post<Data>(operation: string, body: object): Answered<Data> {
    return attempt(() => this.#wire.post(`/organization/${operation}`, body));
  }
}
