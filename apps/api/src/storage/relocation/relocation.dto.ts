import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';

const drivers = ['local', 's3'] as const;

export class StartRelocationBody {
  @ApiPropertyOptional({ enum: drivers, description: 'Where new files are kept; by default that' })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @IsIn(drivers)
  to?: (typeof drivers)[number];
}
