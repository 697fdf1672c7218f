import { type ErrorName, RateLimitError, ServiceError, UnavailableError } from '../../domain/errors.ts'
import { STATUS } from '../../http/middleware/errors.ts'
import type { Words } from '../words/en.ts'
import type { Control } from './controls.ts'
import { translated } from './translated.ts'

/** A rejection as a page shows it. */
export interface Problem {
  readonly status: number
  /** Seconds after which the same may succeed. */
  readonly retryAfter?: number | null
  readonly title: string
  /** The message; null if the list contains it. */
  readonly message: string | null
  /** Rejections of single fields; `id` of the control, null for a field that the page does not have. */
  readonly list: readonly { readonly id: string | null; readonly label: string; readonly message: string }[]
}

/** The rejection of a change, for the page with its form. */
export function problemOf(error: ServiceError, words: Words, controls: readonly Control[] = []): Problem {
  const list = error.fields.map(({ path, message, code }) => {
    const control = controls.find(({ name }) => isWithin(path, name))
    return {
      id: control?.id ?? null,
      label: control?.label ?? path,
      message: translated(message, { words, code }),
    }
  })
  return {
    status: STATUS[error.name],
    retryAfter: retryAfterOf(error),
    title: titleOf(error.name, words),
    message: list.length > 0 ? null : translated(error.message, { words }),
    list,
  }
}

function retryAfterOf(error: ServiceError): number | null {
  if (error instanceof RateLimitError) return error.refusal.retryAfter
  return error instanceof UnavailableError ? error.retryAfter : null
}

/** The controls, each with its rejection. */
export function withFaults(
  controls: readonly Control[],
  { fields }: Pick<ServiceError, 'fields'>,
  words: Words,
): readonly Control[] {
  return controls.map((control) => {
    const messages = fields
      .filter(({ path }) => isWithin(path, control.name))
      .map(({ message, code }) => translated(message, { words, code }))
    return messages.length === 0 ? control : { ...control, fault: messages.join(' ') }
  })
}

/** Returns the error within a field that is no control, such as a group of boxes; null for none. */
export function faultWithin(error: ServiceError | null, name: string, words: Words): string | null {
  const found = error?.fields.find(({ path }) => isWithin(path, name))
  return found === undefined ? null : translated(found.message, { words, code: found.code })
}

function titleOf(name: ErrorName, { problem }: Words): string {
  return problem[name] ?? problem.other
}

/** `nav_links[2].href` is within `nav_links`. */
export function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`)
}

/** Runs a change. A rejection that a form can show is passed to `refused`; any other error is thrown. */
export async function attempt(
  change: () => Promise<void>,
  refused: (error: ServiceError) => Promise<void> | void,
): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.name === 'not_found') throw error
    await refused(error)
  }
}
