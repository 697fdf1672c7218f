import type { CodeNeededError, ServiceError } from '../../domain/errors.ts'
import { plainControl } from '../frame/controls.ts'
import type { Frame } from '../frame/frame.ts'
import { problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext } from '../ports.ts'

/** Asks for a code after the password was right. The form holds the proof of that. */
export function askForCode(
  ctx: DashboardContext,
  { words, show }: Frame,
  {
    challenge,
    next,
    error,
    hasPasskeys,
  }: Pick<CodeNeededError, 'challenge'> & {
    readonly next: string
    readonly error: ServiceError | null
    readonly hasPasskeys: boolean
  },
): void {
  const controls = withFaults(
    [
      plainControl({
        name: 'code',
        label: words.codes.code,
        hint: words.codes.signInHint,
        isRequired: true,
        autocomplete: 'one-time-code',
      }),
    ],
    error ?? { fields: [] },
    words,
  )
  show(ctx, 'sign-in-code', {
    title: words.codes.signInTitle,
    script: hasPasskeys ? 'passkeys' : null,
    problem: error && problemOf(error, words, controls),
    challenge,
    next,
    controls,
  })
}
