import { Body, Controller, Get, Param, ParseIntPipe, Post, Query, UseGuards } from '@nestjs/common';
import type { Post as PostRow } from './entities.js';
import { JwtGuard, UserId } from './jwt.guard.js';
import { CreatePostDto, ListPostsDto, ListPostsOfAuthorDto, PagePostsDto } from './posts.dto.js';
import { PostsService, type CountedPosts } from './posts.service.js';

@Controller('posts')
@UseGuards(JwtGuard)
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  @Get('with-author')
  listWithAuthor(@Query() query: PagePostsDto): Promise<PostRow[]> {
    return this.posts.listWithAuthor(query);
  }

  @Get('with-comments')
  listWithComments(@Query() query: ListPostsOfAuthorDto): Promise<PostRow[]> {
    return this.posts.listWithComments(query);
  }

  @Get('counted')
  listCounted(@Query() query: ListPostsOfAuthorDto): Promise<CountedPosts> {
    return this.posts.listCounted(query);
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number): Promise<PostRow> {
    return this.posts.get(id);
  }

  @Get()
  list(@Query() query: ListPostsDto): Promise<PostRow[]> {
    return this.posts.list(query);
  }

  @Post()
  create(@UserId() userId: string, @Body() body: CreatePostDto): Promise<void> {
    return this.posts.create(userId, body);
  }
}
