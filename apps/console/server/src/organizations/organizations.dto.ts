import { isSlug, roleNames, type Role } from '#libs/control-plane';
import { IsEmailAddress } from '#libs/web';
import { CAPABILITIES, type Capability } from '#libs/wire';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  registerDecorator,
  ValidateIf,
} from 'class-validator';

const nameLength = 80;

/** Lower case letters, digits and single hyphens. */
function IsSlug(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isSlug',
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message: 'use up to 40 lower case letters, digits and single hyphens' },
      validator: { validate: (value: unknown) => typeof value === 'string' && isSlug(value) },
    });
}

export class CreateOrganizationBody {
  @ApiProperty({ maxLength: nameLength })
  @IsString()
  @Length(1, nameLength)
  readonly name!: string;

  @ApiPropertyOptional({ description: 'Default: made of the name.' })
  @IsOptional()
  @IsSlug()
  readonly slug?: string;
}

export class RenameOrganizationBody {
  @ApiProperty({ maxLength: nameLength })
  @IsString()
  @Length(1, nameLength)
  readonly name!: string;
}

export class GrantBody {
  @ApiProperty({ enum: roleNames })
  @IsIn(roleNames)
  readonly role!: Role;

  @ApiPropertyOptional({
    enum: CAPABILITIES,
    isArray: true,
    minItems: 1,
    description: 'Of the role custom, which needs at least one.',
  })
  @ValidateIf((body: GrantBody) => body.role === 'custom' || body.capabilities !== undefined)
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(CAPABILITIES, { each: true })
  readonly capabilities?: Capability[];
}

export class AddMemberBody extends GrantBody {
  @ApiProperty({ description: 'Whom to invite, operator or not.', format: 'email' })
  @IsEmailAddress()
  @MaxLength(254)
  readonly email!: string;

  @ApiPropertyOptional({ description: 'Default: the whole organization.' })
  @IsOptional()
  @IsString()
  readonly projectRef?: string;
}

export class GiveMembershipBody extends GrantBody {
  @ApiProperty({ description: 'The id of the operator.' })
  @IsString()
  readonly operatorId!: string;

  @ApiPropertyOptional({ description: 'Default: the whole organization.' })
  @IsOptional()
  @IsString()
  readonly projectRef?: string;
}
