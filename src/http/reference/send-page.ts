import type { Context } from 'koa'
import { type ConstantAnswer, sendConstant } from '../constant-answer.ts'

/** A page loads nothing but its style sheet. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function sendPage(ctx: Context, page: ConstantAnswer): Promise<void> {
  ctx.set('Content-Security-Policy', POLICY)
  return sendConstant(ctx, page)
}
