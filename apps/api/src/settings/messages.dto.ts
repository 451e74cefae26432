import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsString, Matches, MaxLength } from 'class-validator';

import { MAIL_KIND_NAMES, type MailKind } from '#libs/mail-templates';
import { IsEmailAddress, Nested } from '#libs/web';

import { Given } from '../http/given.js';

const maxSourceLength = 100_000;

export class TestMailBody {
  @ApiProperty({ example: 'ada@example.org' })
  @IsEmailAddress()
  @MaxLength(254)
  to!: string;
}

export class TestSmsBody {
  @ApiProperty({ example: '+15551234567' })
  @Matches(/^\+[1-9]\d{6,14}$/, { message: 'to must be like +15551234567' })
  to!: string;
}

export class TemplateBody {
  @ApiPropertyOptional()
  @Given()
  @IsString()
  @MaxLength(maxSourceLength)
  subject?: string;

  @ApiPropertyOptional()
  @Given()
  @IsString()
  @MaxLength(maxSourceLength)
  text?: string;

  @ApiPropertyOptional()
  @Given()
  @IsString()
  @MaxLength(maxSourceLength)
  html?: string;
}

export class PreviewMailBody {
  @ApiProperty({ enum: MAIL_KIND_NAMES })
  @IsIn(MAIL_KIND_NAMES)
  kind!: MailKind;

  @ApiPropertyOptional({
    type: TemplateBody,
    description: 'By default the stored one; what it leaves out is the text of the product',
  })
  @Given()
  @IsObject()
  @Nested(() => TemplateBody)
  template?: TemplateBody;
}
