import type { Middleware } from 'koa'
import type { FairLimit } from '../../platform/fair-limit.ts'
import type { ApiState } from '../api.ts'

export interface ReadTurnPorts {
  readonly readTurns: FairLimit
}

/**
 * Lets accounts take turns with reads, so that many reads of one account are not all before the next read of another
 * one: the database has few connections. Previews have turns of their own.
 */
export function takeReadTurns({ readTurns }: ReadTurnPorts): Middleware<ApiState> {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || ctx.path.startsWith('/render/')) return next()
    const { userId } = ctx.state.caller
    await readTurns({ account: userId, project: userId }, next)
  }
}
