import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { labelsIn, readLabels, searchLabels } from '../../src/theme/labels.ts'
import { FOLDERS } from './load-built-in.ts'

const labels = await readLabels(fileURLToPath(FOLDERS.templates))

test.each(Object.keys(labels))('%s has every label of English, with the same placeholders', (language) => {
  const english = labels['en'] ?? {}
  const said = labels[language] ?? {}
  expect(Object.keys(said).sort()).toEqual(Object.keys(english).sort())
  for (const [name, text] of Object.entries(english)) {
    expect(said[name]?.match(/\{\w+\}/g)).toEqual(text.match(/\{\w+\}/g))
  }
})

test('the twenty languages with the most readers have labels', () => {
  const largest = 'en zh hi es fr ar bn pt ru ur id de ja tr ko vi it pl nl fa'.split(' ')
  expect(largest.filter((language) => labels[language] === undefined)).toEqual([])
})

test('no label of another language is the English one by mistake', () => {
  const names = ['skip', 'notFoundText', 'search', 'searchFailed', 'oldVersion', 'home']
  for (const [language, said] of Object.entries(labels)) {
    if (language === 'en') continue
    expect(names.filter((name) => said[name] === labels['en']?.[name])).toEqual([])
  }
})

test('an unknown language falls back to English', () => {
  expect(labelsIn('nb-NO', labels)).toEqual(labels['en'])
  expect(labelsIn('__proto__', labels)).toEqual(labels['en'])
  expect(labelsIn('', labels)).toEqual(labels['en'])
})

test('the region of a language is ignored', () => {
  expect(labelsIn('pt-BR', labels)).toEqual(labels['pt'])
  expect(labelsIn('ZH-Hans', labels)).toEqual(labels['zh'])
})

test.each(Object.keys(labels))('the search dialog uses the labels of %s', (language) => {
  const said = labelsIn(language, labels)
  expect(JSON.parse(searchLabels(said))).toEqual({
    search: said['search'],
    results: said['searchResults'],
    nothing: said['searchNothing'],
    meant: said['searchMeant'],
    failed: said['searchFailed'],
    close: said['searchClose'],
    key: said['searchKey'],
    clear: said['searchClear'],
    settings: said['searchSettings'],
  })
})
