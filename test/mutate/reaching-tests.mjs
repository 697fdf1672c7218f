// Finds the test files that import a source file, directly or not, in the order in which they are likely to notice a
// change of it: tests, then proofs. Those that start the built program import nothing of it and are not found.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

/** Imports that do something at run time. */
const IMPORT = /(?:^|\n)(?:import|export)(?! type)\b[^'"]*?from '(\.[^']+)'|import\(?\s*'(\.[^']+)'/g

/** Returns a function from a source file to the test files that reach it, nearest first. Paths are relative to the root. */
export function reachingTests(root, files) {
  const importers = new Map()
  for (const file of files)
    for (const imported of importsOf(join(root, file))) {
      const path = relative(root, imported)
      importers.set(path, [...(importers.get(path) ?? []), file])
    }

  return (source) => {
    const distances = distancesFrom(source, importers)
    return [...distances.keys()]
      .filter((file) => /\.(test|proof)\.ts$/.test(file))
      .sort(
        (a, b) =>
          isProof(a) - isProof(b) ||
          nameDistance(source, a) - nameDistance(source, b) ||
          distances.get(a) - distances.get(b),
      )
  }
}

function isProof(file) {
  return file.endsWith('.proof.ts')
}

function importsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, from, dynamic]) => resolve(dirname(file), from ?? dynamic))
    .filter(existsSync)
}

/** The number of imports between a file and each that reaches it. */
function distancesFrom(source, importers) {
  const distances = new Map([[source, 0]])
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

/** Tests mirror the folders of the source; beyond that, a common word in the name is the best guess. */
function nameDistance(source, test) {
  const mirror = source.replace(/^src/, 'test').replace(/\.ts$/, '')
  if (test.replace(/\.(test|proof)\.ts$/, '') === mirror) return 0
  if (dirname(test) === dirname(mirror)) return 1
  const words = wordsOf(source)
  return wordsOf(test).some((word) => words.includes(word)) ? 2 : 3
}

function wordsOf(file) {
  return basename(file)
    .replace(/(\.(test|proof))?\.ts$/, '')
    .split('-')
    .map((word) => word.replace(/s$/, ''))
}
