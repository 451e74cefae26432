import { minPasswordLength } from '#libs/control-plane';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class LoginBody {
  @ApiProperty({ format: 'email' })
  @IsString()
  readonly email!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(1024)
  readonly password!: string;

  @ApiPropertyOptional({ description: 'From an earlier second factor on this device' })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  readonly trustToken?: string;
}

export class LoginReply {
  @ApiProperty({ description: 'A session token, or a challenge when `twoFactor` is true' })
  readonly token!: string;

  @ApiProperty({ description: 'The token is only good for the second factor' })
  readonly twoFactor!: boolean;

  @ApiProperty({ description: 'Nothing but the change of the password is open' })
  readonly mustChangePassword!: boolean;

  @ApiPropertyOptional({ description: 'Replaces the trust token that was sent' })
  readonly trustToken?: string;
}

export class PasswordChangeBody {
  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(1024)
  readonly currentPassword!: string;

  @ApiProperty({ format: 'password', minLength: minPasswordLength })
  @IsString()
  @MaxLength(1024)
  readonly newPassword!: string;
}
