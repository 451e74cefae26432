import {
  disableSecondFactor,
  enableSecondFactor,
  forgetTrustedDevice,
  listTrustedDevices,
  replaceBackupCodes,
  verifyCode,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access, attempts } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { BearerToken, CurrentOperator, OwnRequest, Visitor } from '../http/current-operator.js';
import {
  BackupCodesReply,
  CodeBody,
  EnrolmentReply,
  PasswordBody,
  TokenReply,
  TrustedDeviceView,
  VerifiedReply,
} from './two-factor.dto.js';

@ApiTags('Second factor')
@Controller('auth/two-factor')
export class TwoFactorController {
  constructor(private readonly deps: ConsoleDeps) {}

  /** Begins an enrolment; the first `verify-totp` with the session token confirms it. */
  @Post('enable')
  @Access({ kind: 'operator' })
  @HttpCode(200)
  @ApiOkResponse({ type: EnrolmentReply })
  enable(
    @OwnRequest() request: OwnRequest,
    @Body() { password }: PasswordBody,
  ): Promise<EnrolmentReply> {
    return enableSecondFactor(this.deps.controlPlane, request, password);
  }

  /** The bearer token is the challenge of a login, or the session token in an enrolment. */
  @Post('verify-totp')
  @Access({ kind: 'public' }, attempts)
  @HttpCode(200)
  @ApiOkResponse({ type: VerifiedReply })
  verifyTotp(
    @BearerToken() token: string,
    @Body() { code, trustDevice = false }: CodeBody,
    @Visitor() visitor: Visitor,
  ): Promise<VerifiedReply> {
    const input = { kind: 'totp', token, code, trustDevice } as const;
    return verifyCode(this.deps.controlPlane, input, visitor);
  }

  /** The bearer token is the challenge of a login. Each backup code works once. */
  @Post('verify-backup-code')
  @Access({ kind: 'public' }, attempts)
  @HttpCode(200)
  @ApiOkResponse({ type: VerifiedReply })
  verifyBackupCode(
    @BearerToken() token: string,
    @Body() { code, trustDevice = false }: CodeBody,
    @Visitor() visitor: Visitor,
  ): Promise<VerifiedReply> {
    const input = { kind: 'backup-code', token, code, trustDevice } as const;
    return verifyCode(this.deps.controlPlane, input, visitor);
  }

  /** The session goes on under the token that is returned. */
  @Post('disable')
  @Access({ kind: 'operator' })
  @HttpCode(200)
  @ApiOkResponse({ type: TokenReply })
  disable(
    @OwnRequest() request: OwnRequest,
    @Body() { password }: PasswordBody,
  ): Promise<TokenReply> {
    return disableSecondFactor(this.deps.controlPlane, request, password);
  }

  @Post('generate-backup-codes')
  @Access({ kind: 'operator' })
  @HttpCode(200)
  @ApiOkResponse({ type: BackupCodesReply })
  replaceBackupCodes(
    @OwnRequest() request: OwnRequest,
    @Body() { password }: PasswordBody,
  ): Promise<BackupCodesReply> {
    return replaceBackupCodes(this.deps.controlPlane, request, password);
  }

  @Get('trusted-devices')
  @Access({ kind: 'operator' })
  @ApiOkResponse({ type: [TrustedDeviceView] })
  trustedDevices(
    @CurrentOperator() { operatorId }: CurrentOperator,
  ): Promise<readonly TrustedDeviceView[]> {
    return listTrustedDevices(this.deps.controlPlane.dataSource, operatorId);
  }

  @Delete('trusted-devices/:id')
  @Access({ kind: 'operator' })
  @HttpCode(204)
  @ApiNoContentResponse()
  forgetTrustedDevice(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
  ): Promise<void> {
    return forgetTrustedDevice(this.deps.controlPlane.dataSource, operator, id);
  }
}
