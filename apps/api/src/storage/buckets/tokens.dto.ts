import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, MaxLength, Min, MinLength, ValidateIf } from 'class-validator';

import { TOKEN_KINDS, type TokenKind } from '../core/bucket-token.js';

const minSeconds = 60;
const maxSeconds = 10 * 365 * 86_400;
const maxNameLength = 100;

export class CreateTokenBody {
  @ApiProperty({ minLength: 1, maxLength: maxNameLength, example: 'the camera at the door' })
  @IsString()
  @MinLength(1)
  @MaxLength(maxNameLength)
  name!: string;

  @ApiProperty({ enum: TOKEN_KINDS })
  @IsIn(TOKEN_KINDS)
  kind!: TokenKind;

  @ApiPropertyOptional({
    minimum: minSeconds,
    maximum: maxSeconds,
    description: 'In seconds; without it the token holds until it is deleted',
  })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @IsInt()
  @Min(minSeconds)
  @Max(maxSeconds)
  expiresIn?: number;
}
