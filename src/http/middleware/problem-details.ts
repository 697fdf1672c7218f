import { ERROR_TEXTS } from '../error-texts.ts'
import type { ErrorBody, FieldErrorBody } from './error-body.ts'

/** The media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json'

/** An error as problem details. */
export function problemOf(
  { statusCode, name, message, ...limit }: ErrorBody,
  errors: readonly FieldErrorBody[],
  { baseUrl, requestId }: { readonly baseUrl: string; readonly requestId: string },
) {
  return {
    type: `${baseUrl}/problems/${name}`,
    title: ERROR_TEXTS[name].title,
    status: statusCode,
    detail: message,
    name,
    request_id: requestId,
    errors,
    ...limit,
  }
}

/** Headers beyond this length are ignored: they would cost too much to read. */
const MAX_LENGTH = 1_000

/** Reports whether an `Accept` names problem details and prefers no plain JSON. Wildcards name neither. */
export function prefersProblem(accept: string): boolean {
  if (accept.length > MAX_LENGTH) return false
  const wanted = weightOf(accept, PROBLEM_TYPE)
  return wanted > 0 && wanted >= weightOf(accept, 'application/json')
}

/** The weight of a media type in an `Accept`, from 0 to 1; 0 where it is not named. */
function weightOf(accept: string, type: string): number {
  const named = accept
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
    .filter(([name]) => name === type)
  return Math.max(0, ...named.map(([, ...parameters]) => weightIn(parameters)))
}

function weightIn(parameters: readonly string[]): number {
  const [, weight] =
    /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.find((one) => one.startsWith('q=')) ?? 'q=1') ?? []
  return Number(weight ?? 0)
}
