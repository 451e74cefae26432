import { changePassword, login, signOut } from '#libs/control-plane';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Access, attempts } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, OwnRequest, Visitor } from '../http/current-operator.js';
import { LoginBody, LoginReply, PasswordChangeBody } from './login.dto.js';

@ApiTags('Sign-in')
@Controller()
export class LoginController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Post('platform/login')
  @Access({ kind: 'public' }, attempts)
  @HttpCode(200)
  @ApiSecurity({})
  @ApiOkResponse({ type: LoginReply })
  login(@Body() body: LoginBody, @Visitor() visitor: Visitor): Promise<LoginReply> {
    return login(this.deps.controlPlane, body, visitor);
  }

  /** Ends all other sessions and the trust in all devices. */
  @Post('platform/password')
  @Access({ kind: 'session' })
  @HttpCode(204)
  @ApiNoContentResponse()
  changePassword(
    @OwnRequest() request: OwnRequest,
    @Body() body: PasswordChangeBody,
  ): Promise<void> {
    return changePassword(this.deps.controlPlane, request, body);
  }

  @Post('auth/sign-out')
  @Access({ kind: 'session' })
  @HttpCode(204)
  @ApiNoContentResponse()
  signOut(@CurrentOperator() { sessionId }: CurrentOperator): Promise<void> {
    return signOut(this.deps.controlPlane.dataSource, sessionId);
  }
}
