import type { FieldErrorCode } from '../../../domain/invalid-field.ts'

/** The services refuse in English, so no refusal needs another text. */
export const refusals = {
  fields: {} as Readonly<Partial<Record<FieldErrorCode, string>>>,
  phrases: {} as Readonly<Record<string, string>>,
}
