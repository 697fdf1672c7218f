import type { Middleware } from 'koa'
import { type ConstantAnswer, constantAnswer, sendConstant } from './constant-answer.ts'

/** Answers with one JSON document, which is serialised on the first request. */
export function constantJson(document: () => object): Middleware {
  let written: ConstantAnswer | null = null

  return (ctx) => {
    written ??= constantAnswer('application/json; charset=utf-8', JSON.stringify(document()))
    return sendConstant(ctx, written)
  }
}
