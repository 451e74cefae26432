import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, MaxLength } from 'class-validator';

const maxNames = 200;
const maxNameLength = 128;

export class RemovedSecretsBody {
  @ApiProperty({ type: [String], example: ['GREETING'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxNames)
  @IsString({ each: true })
  @MaxLength(maxNameLength, { each: true })
  names!: string[];
}
