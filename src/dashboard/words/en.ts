import { accountWords } from './en/account.ts'
import { FIELDS, type FieldWords } from './en/fields.ts'
import { formats } from './en/formats.ts'
import { frameWords } from './en/frame.ts'
import { manageWords } from './en/manage.ts'
import { pageWords } from './en/page.ts'
import { projectWords } from './en/project.ts'
import { refusals } from './en/refusals.ts'
import { writingWords } from './en/writing.ts'

/** Every text of the dashboard. Another language is another value of this type. */
export const en = {
  lang: 'en',
  langName: 'English',
  ...formats,
  ...frameWords,
  ...accountWords,
  ...projectWords,
  ...pageWords,
  ...manageWords,
  ...writingWords,
  refusals,
  fields: FIELDS as Readonly<Record<string, FieldWords>>,
}

export type Words = typeof en
