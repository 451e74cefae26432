import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';

import { DRIVER_KINDS, type DriverKind } from '#libs/wire';

export class StartRelocationBody {
  @ApiPropertyOptional({
    enum: DRIVER_KINDS,
    description: 'Where new files are kept; by default that',
  })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @IsIn(DRIVER_KINDS)
  to?: DriverKind;
}
