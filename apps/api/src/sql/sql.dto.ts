import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsNotEmpty, IsOptional, IsString } from 'class-validator';

export class RunSqlBody {
  @ApiProperty({
    example: 'select 1 as one',
    description: 'One statement, or several without params',
  })
  @IsString()
  @IsNotEmpty()
  query!: string;

  @ApiPropertyOptional({ type: 'array', items: {}, description: 'Values of $1, $2, …' })
  @IsOptional()
  @IsArray()
  params?: unknown[];
}
