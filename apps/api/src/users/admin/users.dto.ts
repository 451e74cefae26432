import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsISO8601,
  IsObject,
  IsString,
  IsUrl,
  Matches,
  MaxLength,
  MinLength,
  ValidateIf,
} from 'class-validator';

import { Given } from '../../http/given.js';

export const ROLES = ['USER', 'ADMIN'] as const;
export const STATUSES = ['active', 'inactive'] as const;
/** RFC 5321 §4.5.3.1. */
const maxEmailLength = 254;
/** Longer than any password that a project may allow. */
const maxPasswordLength = 1024;
/** E.164. */
const phonePattern = /^\+[1-9]\d{6,14}$/;

/** Fields that administrators set when they make an account and later. */
class AccountBody {
  @ApiPropertyOptional({ minLength: 1, description: 'By the rules of auth.methods.emailPassword' })
  @Given()
  @IsString()
  @MaxLength(maxPasswordLength)
  password?: string;

  @ApiPropertyOptional({ maxLength: 200 })
  @Given()
  @IsString()
  @MaxLength(200)
  name?: string;

  @ApiPropertyOptional({ maxLength: 64, description: 'A new account without one gets one' })
  @Given()
  @IsString()
  username?: string;

  @ApiPropertyOptional({ nullable: true, type: String, description: 'The address of a picture' })
  @ValidateIf((body: AccountBody) => body.image !== null && body.image !== undefined)
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2000)
  image?: string | null;

  @ApiPropertyOptional({ enum: ROLES, description: 'USER for a new account' })
  @Given()
  @IsIn(ROLES)
  role?: (typeof ROLES)[number];

  @ApiPropertyOptional({ enum: STATUSES, description: 'active for a new account' })
  @Given()
  @IsIn(STATUSES)
  status?: (typeof STATUSES)[number];

  @ApiPropertyOptional({ description: 'Whether the address is known to be theirs' })
  @Given()
  @IsBoolean()
  emailVerified?: boolean;

  @ApiPropertyOptional({ nullable: true, type: String, example: '+15551234567' })
  @ValidateIf((body: AccountBody) => body.phoneNumber !== null && body.phoneNumber !== undefined)
  @Matches(phonePattern, { message: 'phoneNumber must be like +15551234567' })
  phoneNumber?: string | null;

  @ApiPropertyOptional({ description: 'Whether the number is known to be theirs' })
  @Given()
  @IsBoolean()
  phoneNumberVerified?: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'For policies' })
  @Given()
  @IsObject()
  app_metadata?: Record<string, unknown>;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Given()
  @IsObject()
  user_metadata?: Record<string, unknown>;
}

class EmailBody extends AccountBody {
  @ApiProperty({ example: 'ada@example.org' })
  @IsString()
  @MaxLength(maxEmailLength)
  email!: string;
}

export class CreateUserBody extends EmailBody {}

/** What is left out stays. In metadata only the names that are given change; null takes one away. */
export class ChangeUserBody extends PartialType(EmailBody, { skipNullProperties: false }) {}

export class BanUserBody {
  @ApiProperty({ minLength: 1, maxLength: 500, example: 'Spam', description: 'For administrators' })
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  reason!: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'When the ban ends; never without it' })
  @Given()
  @IsISO8601({ strict: true })
  until?: string;
}

export class ResetPasswordBody {
  @ApiProperty({ minLength: 1 })
  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;
}
