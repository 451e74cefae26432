import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

export class CapturedTableBody {
  @ApiProperty({ description: 'Whether clients can listen to changes of the table' })
  @IsBoolean()
  enabled!: boolean;
}
