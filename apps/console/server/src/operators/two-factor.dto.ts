import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

export class PasswordBody {
  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(1024)
  readonly password!: string;
}

export class CodeBody {
  @ApiProperty()
  @IsString()
  @MaxLength(64)
  readonly code!: string;

  @ApiPropertyOptional({ description: 'Later logins from this device need no second factor' })
  @IsOptional()
  @IsBoolean()
  readonly trustDevice?: boolean;
}

export class EnrolmentReply {
  @ApiProperty({ description: 'To be shown as a QR code' })
  readonly totpURI!: string;

  @ApiProperty()
  readonly secret!: string;

  @ApiProperty({ description: 'Shown once', type: [String] })
  readonly backupCodes!: readonly string[];
}

export class VerifiedReply {
  @ApiProperty({ description: 'The session token to go on with' })
  readonly token!: string;

  @ApiProperty()
  readonly mustChangePassword!: boolean;

  @ApiPropertyOptional({ description: 'To be sent with the next login from this device' })
  readonly trustToken?: string;
}

export class TokenReply {
  @ApiProperty({ description: 'The session token to go on with' })
  readonly token!: string;
}

export class BackupCodesReply {
  @ApiProperty({ description: 'Shown once', type: [String] })
  readonly backupCodes!: readonly string[];
}

export class TrustedDeviceView {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly userAgent!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly ip!: string | null;

  @ApiProperty()
  readonly lastUsedAt!: Date;

  @ApiProperty()
  readonly expiresAt!: Date;
}
