import {
  acceptInvitation,
  listInvitations,
  retryInvitationMail,
  revokeInvitation,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { Access, attempts } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import {
  CurrentOperator,
  OptionalOperator,
  ProjectCapabilities,
  Visitor,
} from '../http/current-operator.js';
import { accepterOf } from './accepter.js';
import {
  AcceptBody,
  AcceptedReply,
  InvitationBody,
  InvitationReply,
  InvitationsQuery,
  InvitationsReply,
  NewInvitationReply,
  OrganizationQuery,
} from './invitations.dto.js';
import { sendInvitation } from './send-invitation.js';

@ApiTags('Invitations')
@Controller('platform/operators/invitations')
export class InvitationsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Post()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization-in-body' })
  @ApiCreatedResponse({ type: NewInvitationReply })
  create(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() own: readonly Capability[],
    @Body() { role, capabilities = [], ...place }: InvitationBody,
  ): Promise<NewInvitationReply> {
    const inviter = { actor, capabilities: own };
    return sendInvitation(this.deps, inviter, { ...place, grant: { role, capabilities } });
  }

  @Get()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization-in-query' })
  @ApiOkResponse({ type: InvitationsReply })
  async list(@Query() { organizationId, ...page }: InvitationsQuery): Promise<InvitationsReply> {
    const { dataSource } = this.deps.controlPlane;
    const { rows, next } = await listInvitations(dataSource, organizationId, page);
    return { invitations: rows, next };
  }

  @Delete(':id')
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization-in-query' })
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Query() { organizationId }: OrganizationQuery,
    @Param('id') id: string,
  ): Promise<void> {
    const { dataSource } = this.deps.controlPlane;
    return revokeInvitation(dataSource, { actor, capabilities }, { organizationId, id });
  }

  @Post(':id/mail')
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization-in-query' })
  @HttpCode(200)
  @ApiOkResponse({ type: InvitationReply })
  retryMail(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Query() { organizationId }: OrganizationQuery,
    @Param('id') id: string,
  ): Promise<InvitationReply> {
    const { dataSource } = this.deps.controlPlane;
    return retryInvitationMail(dataSource, { actor, capabilities }, { organizationId, id });
  }

  /** A new operator sends a password; an existing one sends the session token. */
  @Post('accept')
  @Access({ kind: 'public' }, attempts)
  @HttpCode(200)
  @ApiSecurity({})
  @ApiOkResponse({ type: AcceptedReply })
  accept(
    @OptionalOperator() operator: CurrentOperator | undefined,
    @Visitor() visitor: Visitor,
    @Body() body: AcceptBody,
  ): Promise<AcceptedReply> {
    const accepter = accepterOf(body, operator, visitor);
    return acceptInvitation(this.deps.controlPlane, body.token, accepter);
  }
}
