import { expect, test } from 'vitest'
import { examinePackages } from '../../../src/app/doctor/packages.ts'
import { linesOf, testEveryFinding } from './findings.ts'

test('a native package that cannot be loaded is named, with its effect and how to install it', async () => {
  expect(linesOf('packages', await examinePackages())).toEqual(['ok All native packages can be loaded.'])
  const missing = {
    name: 'native',
    load: () => Promise.reject(new Error('No binary\nstack')),
    without: 'it is slow',
  }
  const found = { name: 'other', load: async () => {}, without: 'nothing works' }
  expect(linesOf('packages', await examinePackages([missing, found]))).toEqual([
    'warning The package native cannot be loaded (No binary), so it is slow. npm install --include=optional',
  ])
})

testEveryFinding('packages.ts')
