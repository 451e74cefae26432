import { Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export class CreatePostDto {
  @IsInt()
  authorId!: number;

  @IsString()
  @MaxLength(200)
  title!: string;

  @IsString()
  body!: string;
}

export class ListPostsDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  authorId?: number;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit!: number;
}

export class ListPostsOfAuthorDto {
  @Type(() => Number)
  @IsInt()
  authorId!: number;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit!: number;
}

export class PagePostsDto {
  @Type(() => Date)
  @IsDate()
  before!: Date;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit!: number;
}
