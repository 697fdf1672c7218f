import { createHash } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'
import type { Words } from '../words/en.ts'
import { type Control, typed } from './controls.ts'
import { type Form, MAX_FIELDS } from './form.ts'
import { decodeFormFields } from './form-fields.ts'
import { withLineEnds, withLineFeeds } from './line-ends.ts'
import { withFaults } from './problem.ts'

/** Additions to a form of stored values after a rejection. */
export interface Editing {
  readonly error: ServiceError | null
  /** Changes in the form; absent if the stored values are shown. */
  readonly changes?: Changes
}

export interface Changes {
  /** Controls that were changed in the form. */
  readonly mine: readonly Control[]
  /** The changed controls that another user meanwhile set to another value. */
  readonly contested: readonly Control[]
}

/**
 * The changes of a form of stored values. Read inside the transaction that stores them, and shown when it is rejected.
 */
export interface FormChanges {
  /**
   * Returns the changed controls of the form.
   *
   * @param stored the controls as they are stored now.
   * @throws {ServiceError} `precondition_failed` when another user has changed one of them meanwhile.
   */
  read(stored: readonly Control[]): readonly Control[]
  /** Returns the result of the last read. */
  last(): Changes
}

/** @param conflict the message if another user has changed the same control. */
export function formChanges(form: Form, conflict: string): FormChanges {
  let last: Changes = { mine: [], contested: [] }
  return {
    read(stored) {
      last = changesOf(stored, form)
      if (last.contested.length > 0) throw new ServiceError('precondition_failed', conflict)
      return last.mine
    },
    last: () => last,
  }
}

/** The controls of a form, and what its template needs to show both versions of a contested field. */
export function shownForm(stored: readonly Control[], { error, changes }: Editing, words: Words) {
  const mine = changes?.mine ?? []
  const merged = stored.map((control) => mine.find(({ name }) => name === control.name) ?? control)
  return {
    controls: withFaults(merged, error ?? { fields: [] }, words),
    // The form starts from the stored values, so saving it again after a conflict stores the user's own texts.
    base: baseOf(stored),
    contested: new Map(
      (changes?.contested ?? []).map(({ name }) => [name, stored.find((control) => control.name === name)]),
    ),
  }
}

/** Digests of the values that a form showed. They reveal a later change by another user. */
export function baseOf(controls: readonly Control[]): string {
  return controls.map(({ name, value }) => `${name}=${digest(value)}`).join('&')
}

/**
 * Returns the changes in a form, by its field `base` with the digests of the shown values. Line ends are no change, because
 * forms do not keep them: a changed text has those of the stored one.
 */
export function changesOf(stored: readonly Control[], form: Form): Changes {
  const before = new Map(decodeFormFields(Buffer.from(form.get('base')), MAX_FIELDS) ?? [])
  const mine = typed(stored, form).filter(
    ({ name, value }) => form.has(name) && before.get(name) !== digest(value),
  )
  const now = new Map(stored.map(({ name, value }) => [name, value]))
  const ended = mine.map((control) => ({
    ...control,
    value: withLineEnds(control.value, now.get(control.name) ?? ''),
  }))
  const contested = ended.filter(({ name, value }) => {
    const current = now.get(name) ?? ''
    return before.get(name) !== digest(current) && digest(current) !== digest(value)
  })
  return { mine: ended, contested }
}

function digest(text: string): string {
  return createHash('sha256').update(withLineFeeds(text)).digest('base64url').slice(0, 12)
}
