/** The organizations of a project's users. */

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly logo?: string | null;
  readonly metadata?: unknown;
  readonly createdAt?: string;
  readonly [field: string]: unknown;
}

export type OrganizationRole = 'owner' | 'admin' | 'member';

export interface Member {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly role: OrganizationRole;
  readonly createdAt?: string;
  readonly [field: string]: unknown;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: OrganizationRole;
  readonly organizationId: string;
  readonly inviterId: string;
  readonly status: string;
  readonly expiresAt: string;
  readonly teamId?: string | null;
  readonly [field: string]: unknown;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
}

export interface TeamMember {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly createdAt?: string;
}

export interface FullOrganization extends Organization {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly teams?: readonly Team[];
}

/** The organization to use. Default: the active one of the session. */
export interface InOrganization {
  readonly organizationId?: string;
}

export interface OrganizationFields {
  readonly name: string;
  readonly slug: string;
  readonly logo?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface MemberQuery extends InOrganization {
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: string;
  readonly sortDirection?: 'asc' | 'desc';
  readonly filterField?: string;
  readonly filterValue?: string | number | boolean;
  readonly filterOperator?: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains';
}
