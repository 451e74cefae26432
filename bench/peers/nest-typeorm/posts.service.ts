import { Injectable, NotFoundException } from '@nestjs/common';
import { DataSource, LessThan, type Repository } from 'typeorm';
import { Post } from './entities.js';
import { COMMENTS_SHOWN } from '../../database/tables.js';
import type {
  CreatePostDto,
  ListPostsDto,
  ListPostsOfAuthorDto,
  PagePostsDto,
} from './posts.dto.js';

export interface CountedPosts {
  readonly rows: readonly Post[];
  readonly total: number;
}

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

  /** TypeORM orders a page with relations only by columns that are selected. */
  listWithAuthor({ before, limit }: PagePostsDto): Promise<Post[]> {
    return this.posts.find({
      select: { id: true, title: true, createdAt: true, author: { id: true, name: true } },
      relations: { author: true },
      where: { createdAt: LessThan(before), published: true },
      order: { createdAt: 'DESC' },
      take: limit,
    });
  }

  /** TypeORM neither limits nor, within a page, orders the rows of a relation: that is done here. */
  async listWithComments({ authorId, limit }: ListPostsOfAuthorDto): Promise<Post[]> {
    const author = { id: true, name: true };
    const posts = await this.posts.find({
      select: { id: true, title: true, author, comments: { id: true, body: true, author } },
      relations: { author: true, comments: { author: true } },
      where: { authorId },
      order: { id: 'DESC' },
      take: limit,
    });
    for (const post of posts) {
      post.comments.sort((a, b) => Number(b.id) - Number(a.id)).splice(COMMENTS_SHOWN);
    }
    return posts;
  }

  async listCounted({ authorId, limit }: ListPostsOfAuthorDto): Promise<CountedPosts> {
    const [rows, total] = await this.posts.findAndCount({
      where: { authorId },
      order: { id: 'DESC' },
      take: limit,
    });
    return { rows, total };
  }

  async create(ownerId: string, { authorId, title, body }: CreatePostDto): Promise<void> {
    await this.posts.insert({ authorId, title, body, ownerId });
  }
}
