import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestsOfFields, fieldDigests, pushedDigests } from '../../src/page-text/field-digests.ts'
import { decide } from '../../src/push/decide.ts'

const FIELDS = ['title', 'markdown_content', 'description'] as const
type Field = (typeof FIELDS)[number]
type Values = Readonly<Partial<Record<Field, string>>>

const digests = (values: Values) => fieldDigests(values).fields

describe('a record that was pushed', () => {
  const pushed = digests({ title: 'A', description: 'D' })

  test.each([
    [
      'unchanged in all places',
      { title: 'A', description: 'D' },
      { title: 'A', description: 'D' },
      { action: 'unchanged' },
    ],
    [
      'changed to the same',
      { title: 'B', description: 'D' },
      { title: 'B', description: 'D' },
      { action: 'adopt' },
    ],
    [
      'changed in the file',
      { title: 'B', description: 'D' },
      { title: 'A', description: 'D' },
      { action: 'send', fields: ['title'] },
    ],
    [
      'edited on the server',
      { title: 'A', description: 'D' },
      { title: 'B', description: 'D' },
      { action: 'keep' },
    ],
    [
      'changed in another field each',
      { title: 'B', description: 'D' },
      { title: 'A', description: 'E' },
      { action: 'send', fields: ['title'] },
    ],
    [
      'changed to different values',
      { title: 'B' },
      { title: 'C' },
      { action: 'conflict', fields: ['title'] },
    ],
    [
      'removed from the file',
      { title: 'A' },
      { title: 'A', description: 'D' },
      { action: 'send', fields: ['description'] },
    ],
  ] as const)('has one decision when it is %s', (_, file, stored, decision) => {
    expect(decide(digests(file), pushed, digests(stored), false)).toEqual(decision)
  })
})

test('a record of others is adopted when it is equal, else a conflict, and replaced with overwriting', () => {
  expect(decide(digests({ title: 'A' }), null, digests({ title: 'A' }), false)).toEqual({ action: 'adopt' })
  const fields = ['title']
  expect(decide(digests({ title: 'A' }), null, digests({ title: 'B' }), false)).toEqual({
    action: 'conflict',
    fields,
  })
  expect(decide(digests({ title: 'A' }), null, digests({ title: 'B' }), true)).toEqual({
    action: 'send',
    fields,
  })
  expect(decide(digests({ title: 'A' }), {}, digests({ title: 'A', description: 'D' }), false)).toEqual({
    ...{ action: 'send', fields },
  })
})

describe('any order of pushes, file changes and edits on the server', () => {
  const field = fc.constantFrom(...FIELDS)
  const value = fc.constantFrom('a', 'b', 'c', '')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('change' as const), field, value }),
    fc.record({ kind: fc.constant('edit' as const), field, value }),
    // Edits that arrive after the push has read, and before it writes.
    fc.record({
      kind: fc.constant('push' as const),
      meanwhile: fc.array(fc.record({ field, value }), { maxLength: 2 }),
    }),
  )

  test('loses no edit and no change of a file without a conflict that names its field', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let file: Values = { title: 'start' }
        let stored: Values = file
        /** The values at which file and server agreed last. */
        let agreed: Values = file
        let version = 1
        let pushed = fieldDigests(file)
        const textOf = (values: Values, name: Field) => values[name] ?? ''
        const edit = (name: Field, text: string) => {
          stored = { ...stored, [name]: text }
          version++
        }
        const decision = () => {
          const read = { stored, version }
          return { ...read, ...decide(digests(file), pushed.fields, digests(read.stored), false) }
        }
        for (const one of steps) {
          if (one.kind === 'change') file = { ...file, [one.field]: one.value }
          if (one.kind === 'edit') edit(one.field, one.value)
          if (one.kind !== 'push') continue
          const early = decision()
          for (const { field, value } of one.meanwhile) edit(field, value)
          // `If-Match` refuses a write that is based on another version, and the push decides again.
          const isStale = (early.action === 'send' || early.action === 'adopt') && early.version !== version
          const final = isStale ? decision() : early
          const seen = final.stored
          const before = stored
          if (final.action === 'send') {
            for (const name of final.fields as Field[]) stored = { ...stored, [name]: textOf(file, name) }
            const now = fieldDigests(stored)
            pushed = pushedDigests(pushed, now, digestsOfFields(now, final.fields))
            version++
          }
          if (final.action === 'adopt') pushed = fieldDigests(stored)
          const conflicts = final.action === 'conflict' ? final.fields : []
          for (const name of FIELDS) {
            const [mine, theirs, base] = [file, seen, agreed].map((values) => textOf(values, name))
            const isConflict = mine !== base && theirs !== base && mine !== theirs
            expect(conflicts.includes(name)).toBe(isConflict)
            if (final.action === 'conflict') continue
            // A change of the file arrives, and an edit stays.
            expect(textOf(stored, name)).toBe(mine === base ? textOf(before, name) : mine)
          }
          if (final.action === 'conflict') expect(stored).toEqual(before)
          else
            for (const name of FIELDS)
              if (textOf(seen, name) === textOf(file, name) || textOf(file, name) !== textOf(agreed, name))
                agreed = { ...agreed, [name]: textOf(file, name) }
        }
      }),
      { numRuns: 500 },
    )
  })
})
