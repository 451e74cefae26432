import { Injectable, NotFoundException } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { Post } from './entities.js';
import type { CreatePostDto, ListPostsDto } from './posts.dto.js';

@Injectable()
export class PostsService {
  private readonly posts: Repository<Post>;

  constructor(dataSource: DataSource) {
    this.posts = dataSource.getRepository(Post);
  }

  async get(id: number): Promise<Post> {
    const post = await this.posts.findOneBy({ id: String(id) });
    if (post === null) throw new NotFoundException();
    return post;
  }

  list({ authorId, limit }: ListPostsDto): Promise<Post[]> {
    return authorId === undefined
      ? this.posts.find({ take: limit })
      : this.posts.find({ where: { authorId }, order: { id: 'DESC' }, take: limit });
  }

  async create(ownerId: string, { authorId, title, body }: CreatePostDto): Promise<void> {
    await this.posts.insert({ authorId, title, body, ownerId });
  }
}
