import { type ProjectStatus, projectStatuses } from '#libs/control-plane';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';

const nameLength = 80;
const maxPage = 200;
const defaultPage = 50;
const defaultOverlapSeconds = 24 * 3600;
const maxOverlapSeconds = 90 * 24 * 3600;

export class CreateProjectBody {
  @ApiProperty({ example: 'Shop', maxLength: nameLength })
  @IsString()
  @Length(1, nameLength)
  readonly name!: string;

  @ApiPropertyOptional({
    description: 'Part of its host name: 3 to 31 lower case letters and digits. Default: random.',
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
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Bytes that the files of the project may hold together. Null: what the deployment gives to each project (PROJECT_STORAGE_MB).',
  })
  @ValidateIf((body: ProjectLimitsBody) => body.storageBytes !== null)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly storageBytes!: number | null;
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

export class ListProjectsQuery {
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

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  readonly after?: string;

  @ApiPropertyOptional({ default: defaultPage, maximum: maxPage })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPage)
  readonly limit: number = defaultPage;
}
