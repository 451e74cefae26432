import {
  createParamDecorator,
  Inject,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { verifyJwt } from './jwt.js';

export const JWT_SECRET = Symbol('JWT_SECRET');

type SignedInRequest = FastifyRequest & { userId?: string };

@Injectable()
export class JwtGuard implements CanActivate {
  constructor(@Inject(JWT_SECRET) private readonly secret: string) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    const claims =
      scheme === 'Bearer' && token !== undefined ? verifyJwt(token, this.secret) : undefined;
    if (claims === undefined) throw new UnauthorizedException();
    request.userId = claims.sub;
    return true;
  }
}

/** The id of the user whom the guard let in. */
export const UserId = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<SignedInRequest>().userId;
});
