import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

export class SchemaQuery {
  @ApiPropertyOptional({
    default: 'public',
    maxLength: 63,
    description: 'A schema of the project; those of the platform are refused',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(63)
  readonly schema: string = 'public';
}
