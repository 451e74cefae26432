import { type ProjectStatus, projectStatuses } from '#libs/control-plane';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ProjectPageQuery } from '../http/page-query.js';

const nameLength = 80;
const defaultOverlapSeconds = 24 * 3600;
const maxOverlapSeconds = 90 * 24 * 3600;

export class CreateProjectBody {
  @ApiProperty({ example: 'Shop', maxLength: nameLength })
  @IsString()
  @Length(1, nameLength)
  readonly name!: string;

  @ApiPropertyOptional({
    description:
      'Part of its host name: 3 to 31 lower case letters and digits. Default: random. Only an administrator of the deployment can give a ref that SMTP_PROJECTS or DEFAULT_PROJECT names.',
    example: 'shop',
  })
  @IsOptional()
  @IsString()
  readonly ref?: string;

  @ApiPropertyOptional({
    enum: ['text', 'uuid'],
    default: 'text',
    description: 'Type of user ids.',
  })
  @IsOptional()
  @IsIn(['text', 'uuid'])
  readonly idType?: 'text' | 'uuid';

  @ApiPropertyOptional({ description: 'Default: the only one where you may make projects.' })
  @IsOptional()
  @IsString()
  readonly organizationId?: string;
}

export class RenameProjectBody {
  @ApiProperty({ maxLength: nameLength })
  @IsString()
  @Length(1, nameLength)
  readonly name!: string;
}

export class ProjectLimitsBody {
  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Bytes that the files of the project may hold together. Null: what the deployment gives to each project (PROJECT_STORAGE_MB). Absent: stays.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly storageBytes?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Bytes that the database of the project may take. Null: what the deployment gives to each project (PROJECT_DATABASE_MB). Absent: stays.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly databaseBytes?: number | null;

  @ApiPropertyOptional({
    type: 'boolean',
    nullable: true,
    description:
      'Whether mails of the project may go over the mail server of the deployment. Null: no decision; SMTP_PROJECTS decides, and if it is not set, projects that an administrator of the deployment created may. Absent: stays.',
  })
  @IsOptional()
  @IsBoolean()
  readonly sharedMailServer?: boolean | null;
}

export class ConfirmRef {
  @ApiPropertyOptional({ description: 'The ref of the project, typed again.' })
  @IsOptional()
  @IsString()
  readonly ref?: string;
}

export class DeleteProjectQuery extends ConfirmRef {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Delete the project for good at once. Default: after `DELETED_PROJECT_DAYS`.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  readonly now?: 'true' | 'false';
}

export class CreateKeyBody {
  @ApiProperty({ enum: ['publishable', 'secret'] })
  @IsIn(['publishable', 'secret'])
  readonly kind!: 'publishable' | 'secret';
}

export class RotateKeyBody extends CreateKeyBody {
  @ApiPropertyOptional({
    description: 'How long the old keys of this kind stay valid, in seconds. 0 ends them at once.',
    default: defaultOverlapSeconds,
    minimum: 0,
    maximum: maxOverlapSeconds,
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(maxOverlapSeconds)
  readonly expiresInSeconds: number = defaultOverlapSeconds;
}

export class AddDomainBody {
  @ApiProperty({ example: 'api.example.org' })
  @IsString()
  readonly domain!: string;
}

export class ListProjectsQuery extends ProjectPageQuery {
  @ApiPropertyOptional({ description: 'Part of the ref or the name.' })
  @IsOptional()
  @IsString()
  @MaxLength(nameLength)
  readonly search?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  readonly organizationId?: string;

  @ApiPropertyOptional({ enum: projectStatuses })
  @IsOptional()
  @IsIn(projectStatuses)
  readonly status?: ProjectStatus;
}
