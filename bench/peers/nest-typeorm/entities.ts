import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';

@Entity('authors')
export class Author {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('text')
  name!: string;

  @OneToMany(() => Post, (post) => post.author)
  posts!: Relation<Post>[];
}

@Entity('posts')
export class Post {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: string;

  @Column('integer', { name: 'author_id' })
  authorId!: number;

  @ManyToOne(() => Author, (author) => author.posts)
  @JoinColumn({ name: 'author_id' })
  author!: Relation<Author>;

  @Column('text', { name: 'owner_id', nullable: true })
  ownerId!: string | null;

  @Column('text')
  title!: string;

  @Column('text')
  body!: string;

  @Column('boolean', { default: true })
  published!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @OneToMany(() => Comment, (comment) => comment.post)
  comments!: Relation<Comment>[];
}

@Entity('comments')
export class Comment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: string;

  @ManyToOne(() => Post, (post) => post.comments)
  @JoinColumn({ name: 'post_id' })
  post!: Relation<Post>;

  @ManyToOne(() => Author)
  @JoinColumn({ name: 'author_id' })
  author!: Relation<Author>;

  @Column('text')
  body!: string;
}
