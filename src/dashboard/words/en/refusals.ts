import type { FieldErrorCode } from '../../../domain/invalid-field.ts'

/** The services reject in English, so no rejection needs another text. */
export const refusals = {
  fields: {} as Readonly<Partial<Record<FieldErrorCode, string>>>,
  phrases: {} as Readonly<Record<string, string>>,
}
