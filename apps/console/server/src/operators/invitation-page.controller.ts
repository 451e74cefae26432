import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { invitationPage, invitationPolicy } from './invitation-page.js';

/** The page to which the links of invitations lead. */
@ApiExcludeController()
@Controller('invitation')
export class InvitationPageController {
  @Get()
  @Access({ kind: 'public' })
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', invitationPolicy)
  @Header('cache-control', 'no-store')
  page(): string {
    return invitationPage;
  }
}
