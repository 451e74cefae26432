import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, IsUrl, MaxLength, ValidateIf } from 'class-validator';

export class SetUsernameBody {
  @ApiProperty({ example: 'ada.lovelace', minLength: 1, maxLength: 64 })
  @IsString()
  username!: string;
}

export class SetImageBody {
  @ApiProperty({
    nullable: true,
    type: String,
    example: 'https://images.example.org/ada.png',
    description: 'The address of the picture; null takes it away',
  })
  @ValidateIf((body: SetImageBody) => body.image !== null)
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2048)
  image!: string | null;
}

export class DeleteSelfBody {
  @ApiPropertyOptional({ description: 'Needed when the session is not fresh' })
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  password?: string;
}
