import { expect, test } from 'vitest'
import { findHeadingIds } from '../../../../src/render/markdown/placeholders/find-heading-ids.ts'
import type { Placeholder } from '../../../../src/render/markdown/placeholders/placeholder.ts'
import { sourceLines } from '../../../../src/render/markdown/placeholders/source-lines.ts'

function idsIn(source: string): readonly string[] {
  const placeholders: Placeholder[] = []
  const lines = findHeadingIds(sourceLines(source), placeholders)
  const ids = placeholders.flatMap((found) => (found.type === 'heading-id' ? [found.id] : []))
  // Every id that was found is out of the text, and nothing else is.
  expect(lines.filter(({ text }) => text.includes('\uFDD0'))).toHaveLength(ids.length)
  return ids
}

test.each([
  ['## Install {#setup}', 'setup'],
  ['# A {#a} ##', 'a'],
  ['> ### A {#a}', 'a'],
  ['- ## A {#a}', 'a'],
  ['A {#a}\n===', 'a'],
  ['A {#a}\n---', 'a'],
  ['## Größe {#größe}', 'größe'],
  ['## A {#v1.2:b-c_d}', 'v1.2:b-c_d'],
  ['## A {#b} {#c}', 'c'],
])('the author of %j chooses the id %s', (source, id) => {
  expect(idsIn(source)).toEqual([id])
})

test.each([
  'A {#a}',
  '## A \\{#a}',
  '## A{#a}',
  '## {#a} A',
  '## A {#}',
  '## A {#a b}',
  '## A {#"onclick}',
  '## A {#-a}',
  `## A {#${'a'.repeat(101)}}`,
  '```\n## A {#a}\n```',
  '####### A {#a}',
])('%j sets no id', (source) => {
  expect(idsIn(source)).toEqual([])
})
