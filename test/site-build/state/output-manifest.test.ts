import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BuiltFile } from '../../../src/site-build/state/built-page.ts'
import {
  type OutputManifest,
  outputManifest,
  parseManifest,
} from '../../../src/site-build/state/output-manifest.ts'
import { runs } from '../../support/long-form.ts'

const name = fc.constantFrom('a', 'b', 'ab', 'a-b', 'ä', '页', '😀', '_')
const key = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
const pageId = fc.constantFrom('p1', 'p2', 'p3')
const owner = fc.oneof(
  fc.record({ kind: fc.constantFrom('page' as const, 'redirect' as const), id: pageId }),
  fc.record({ kind: fc.constantFrom('nav' as const, 'listing' as const), id: fc.constantFrom('', 'ä') }),
  fc.constant(null),
)
const file = fc.record({ owner, digest: fc.constantFrom('0', '1', '2') })
const changes = fc.array(fc.tuple(key, fc.option(file)), { maxLength: 12 })
const step = fc.record({ changes, isStored: fc.boolean() })

const sorted = (keys: Iterable<string>) => [...keys].sort()
const byKey = (files: Iterable<readonly [string, BuiltFile]>) =>
  [...files].sort(([one], [other]) => (one < other ? -1 : 1))
const isOfPage = ({ owner }: BuiltFile) => owner?.kind === 'page' || owner?.kind === 'redirect'

/** The answers of all methods. */
function answers(files: OutputManifest, keys: readonly string[]) {
  return {
    size: files.size,
    keys: sorted(files.keys()),
    others: byKey(files.others),
    found: keys.map((key) => [files.has(key), files.get(key)]),
    ofPages: byKey(files.ofPages(new Set(['p1', 'p3']))),
    ofMany: byKey(files.ofPages(new Set(Array.from({ length: 20 }, (_, at) => `p${at + 2}`)))),
  }
}

function expectedAnswers(
  files: ReadonlyMap<string, BuiltFile>,
  keys: readonly string[],
): ReturnType<typeof answers> {
  const all = byKey(files)
  const of = (isWanted: (id: string) => boolean) =>
    all.filter(([, file]) => isOfPage(file) && isWanted(file.owner?.id ?? ''))
  return {
    size: files.size,
    keys: sorted(files.keys()),
    others: all.filter(([, file]) => !isOfPage(file)),
    found: keys.map((key) => [files.has(key), files.get(key)]),
    ofPages: of((id) => id !== 'p2'),
    ofMany: of((id) => id !== 'p1'),
  }
}

test('an output manifest equals a map with the same changes, also after it was stored and read', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(key, { maxLength: 8 }),
      (steps, keys) => {
        let files = outputManifest([])
        let model: ReadonlyMap<string, BuiltFile> = new Map()
        for (const { changes, isStored } of steps) {
          const [filesBefore, modelBefore] = [files, model]
          const next = new Map(model)
          for (const [key, file] of changes) file === null ? next.delete(key) : next.set(key, file)
          model = next
          files = files.with(changes)
          expect(answers(files, keys)).toEqual(expectedAnswers(model, keys))
          expect(sorted(filesBefore.without(files))).toEqual(
            sorted([...modelBefore.keys()].filter((key) => !model.has(key))),
          )
          expect(files.texts()).toEqual(outputManifest(model).texts())
          if (isStored) files = parseManifest(files.texts())
          expect(answers(files, keys)).toEqual(expectedAnswers(model, keys))
        }
      },
    ),
    { numRuns: runs(300) },
  )
})
