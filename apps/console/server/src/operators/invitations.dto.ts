import {
  type InvitationMail,
  invitationMailStatuses,
  roleNames,
  type Role,
} from '#libs/control-plane';
import { IsEmailAddress } from '#libs/web';
import { CAPABILITIES, type Capability } from '#libs/wire';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { BeforeQuery } from '../http/page-query.js';

export class InvitationBody {
  @ApiProperty({ format: 'email' })
  @IsEmailAddress()
  @MaxLength(254)
  readonly email!: string;

  @ApiProperty()
  @IsString()
  readonly organizationId!: string;

  @ApiProperty({ enum: roleNames })
  @IsIn(roleNames)
  readonly role!: Role;

  @ApiPropertyOptional({ enum: CAPABILITIES, isArray: true, description: 'Role `custom` only' })
  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsIn(CAPABILITIES, { each: true })
  readonly capabilities?: Capability[];

  @ApiPropertyOptional({ description: 'Absent: the whole organization' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly projectRef?: string;
}

export class OrganizationQuery {
  @ApiProperty()
  @IsString()
  readonly organizationId!: string;
}

export class InvitationsQuery extends BeforeQuery {
  @ApiProperty()
  @IsString()
  readonly organizationId!: string;
}

export class InvitationMailReply {
  @ApiProperty({ enum: invitationMailStatuses })
  readonly status!: InvitationMail['status'];

  @ApiProperty()
  readonly attempts!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why the last try failed' })
  readonly lastError!: string | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Null when the mail does not wait' })
  readonly nextTryAt!: Date | null;
}

export class InvitationReply {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty({ enum: roleNames })
  readonly role!: Role;

  @ApiProperty({ enum: CAPABILITIES, isArray: true })
  readonly capabilities!: readonly Capability[];

  @ApiProperty({ type: String, nullable: true })
  readonly projectRef!: string | null;

  @ApiProperty({ description: 'The id of the operator who invites' })
  readonly invitedBy!: string;

  @ApiProperty()
  readonly createdAt!: Date;

  @ApiProperty()
  readonly expiresAt!: Date;

  @ApiProperty({
    type: InvitationMailReply,
    nullable: true,
    description: 'Null: no mail server is set up, and an administrator hands the link over',
  })
  readonly mail!: InvitationMailReply | null;
}

export class InvitationsReply {
  @ApiProperty({ type: [InvitationReply] })
  readonly invitations!: readonly InvitationReply[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page' })
  readonly next!: string | null;
}

export class NewInvitationReply extends InvitationReply {
  @ApiPropertyOptional({
    description:
      'Carries the token of the invitation. Shown once, and to administrators of the deployment alone',
  })
  readonly inviteUrl?: string;
}

export class AcceptBody {
  @ApiProperty({ description: 'What follows `#token=` in the link' })
  @IsString()
  @MaxLength(128)
  readonly token!: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(128)
  readonly name?: string;

  @ApiPropertyOptional({ format: 'password', description: 'Needed unless signed in' })
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  readonly password?: string;
}

export class AcceptedReply {
  @ApiProperty()
  readonly operatorId!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty()
  readonly organizationId!: string;
}
