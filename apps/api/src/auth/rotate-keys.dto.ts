import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';

const maxGraceDays = 365;

export class RotateKeysBody {
  @ApiPropertyOptional({
    minimum: 0,
    maximum: maxGraceDays,
    description:
      'How long tokens of the keys before still verify; 0 ends them. By default auth.tokens',
  })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @IsInt()
  @Min(0)
  @Max(maxGraceDays)
  graceDays?: number;
}
