import { accountWords } from './de/account.ts'
import { FIELDS } from './de/fields.ts'
import { formats } from './de/formats.ts'
import { frameWords } from './de/frame.ts'
import { manageWords } from './de/manage.ts'
import { pageWords } from './de/page.ts'
import { projectWords } from './de/project.ts'
import { refusals } from './de/refusals.ts'
import { writingWords } from './de/writing.ts'
import type { Words } from './en.ts'

export const de: Words = {
  lang: 'de',
  langName: 'Deutsch',
  ...formats,
  ...frameWords,
  ...accountWords,
  ...projectWords,
  ...pageWords,
  ...manageWords,
  ...writingWords,
  refusals,
  fields: FIELDS,
}
