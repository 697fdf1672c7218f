import { expect, test } from 'vitest'
import { asName } from '../../../src/services/mail/mail-texts.ts'

test.each([
  ['Docs', 'Docs'],
  ['Node.js and C#', 'Node.js and C#'],
  ['Sign in at https://evil.example/now please', 'Sign in at … please'],
  ['Sign in at www.evil.example', 'Sign in at …'],
  ['Sign in at evil.example/now', 'Sign in at …'],
  ['a\nBcc: b', 'a Bcc: b'],
  ['\u202eslaed\u200b', 'slaed'],
  ['eve@example.com', 'eve@example.com'],
])('the name %j stands in a mail as %j, without links and invisible characters', (name, shown) => {
  expect(asName(name)).toBe(shown)
})
