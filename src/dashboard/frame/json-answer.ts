import type { Context } from 'koa'
import type { ServiceError } from '../../domain/errors.ts'
import { STATUS } from '../../http/middleware/errors.ts'
import type { Words } from '../words/en.ts'
import { translated } from './translated.ts'

/** Reports whether a script of an editor sends the request, instead of a form. */
export function wantsJson(ctx: Context): boolean {
  return ctx.get('accept') === 'application/json'
}

/** Answers with the rejection of a change, as one line for users. */
export function answerJson(ctx: Context, { name, fields, message }: ServiceError, words: Words): void {
  ctx.status = STATUS[name]
  ctx.body = {
    message:
      fields.length === 0
        ? translated(message, { words })
        : fields
            .map(
              ({ path, message, code }) =>
                `${words.fields[path]?.label ?? path}: ${translated(message, { words, code })}`,
            )
            .join(' '),
  }
}
