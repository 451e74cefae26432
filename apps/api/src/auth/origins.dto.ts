import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

const maxLength = 2_000;

export class OriginsQuery {
  @ApiPropertyOptional({
    description: 'The address of a page: whether it may use cookies',
    example: 'https://app.example.com',
    maxLength,
  })
  @IsOptional()
  @IsString()
  @MaxLength(maxLength)
  origin?: string;
}
