import { acceptInvitation, listInvitations, revokeInvitation } from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import {
  CurrentOperator,
  Log,
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
    @Log() log: Log,
    @Body() { role, capabilities = [], ...place }: InvitationBody,
  ): Promise<NewInvitationReply> {
    const inviter = { actor, capabilities: own, log };
    return sendInvitation(this.deps, inviter, { ...place, grant: { role, capabilities } });
  }

  @Get()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization-in-query' })
  @ApiOkResponse({ type: [InvitationReply] })
  list(@Query() { organizationId }: OrganizationQuery): Promise<readonly InvitationReply[]> {
    return listInvitations(this.deps.controlPlane.dataSource, organizationId);
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

  /** A new person sends a password; an operator sends the session token. */
  @Post('accept')
  @Access({ kind: 'public' })
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
