// Finds pages in a site's search index, loading only those shards that a query needs.
import { nearestStart, slipsAllowed } from './near.js'
import { usualAnchor, wordsAsked } from './words.js'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]))
const RANKS = 8
// The weight of a hit by its rank: text, headings, title.
const WEIGHTS = [1, 1.4, 1.8, 2.2, 4, 5, 9, 12]
// The most words of a query, and the most further shards that are searched for words that start with one. One or two
// letters start too many words.
const MOST_WORDS = 12
const MORE_SHARDS = 2
// The most shards that are searched to correct a word that no page has.
const NEAR_SHARDS = 4

/**
 * @param load loads a file of the site by its name: `_search.json`, `_search/….json`. Rejects if it does not exist:
 *   the index was replaced after its manifest was loaded, and both are loaded again.
 * @returns find(query, most), which resolves to { total, words, slips, hits: [{ title, path, about, section }] },
 *   best first. A section is { heading, anchor }, or null if the page as a whole matched. A slip is { typed, meant }:
 *   a word that no page has, and the word that was searched for instead.
 */
export function createFinder(load) {
  let opened = null

  return async function find(query, most) {
    const words = wordsAsked(query).slice(0, MOST_WORDS)
    if (!words.length) return { total: 0, words, slips: [], hits: [] }
    for (let again = 0; ; again++) {
      try {
        opened ??= open()
        const index = await opened
        return await search(index, words, most)
      } catch (error) {
        opened = null
        if (again === 2) throw error
      }
    }
  }

  async function open() {
    const manifest = await load('_search.json')
    const shards = new Map()
    const shard = (name) => {
      if (!shards.has(name)) {
        const loading = load(`_search/${name}.json`)
        loading.catch(() => shards.delete(name))
        shards.set(name, loading)
      }
      return shards.get(name)
    }
    const words = new Map()
    const wordShard = async (name) => {
      if (!words.has(name)) {
        const { words: list, hits, pages } = await shard(name)
        words.set(name, { words: list.split(' '), hits: hits.split(' '), pages })
      }
      return words.get(name)
    }
    const firsts = manifest.base.firsts.split(' ')
    return { ...manifest, firsts, shard, wordShard, hiddenNumbers: new Set(manifest.hidden) }
  }
}

async function search(index, words, most) {
  const read = await Promise.all(words.map((word) => readWord(index, word)))
  const scored = new Map()
  for (const { matches: match } of read) {
    const rarity = Math.log(1 + index.total / (match.size + 0.5))
    for (const [page, { weight, section }] of match) {
      const score = weight * rarity
      const known = scored.get(page) ?? { page, count: 0, score: 0, best: 0, section: 0 }
      known.count++
      known.score += score
      // The rarest word decides which section the hit links to.
      if (rarity > known.best) Object.assign(known, { best: rarity, section })
      scored.set(page, known)
    }
  }
  let found = [...scored.values()]
  const count = found.reduce((high, one) => Math.max(high, one.count), 0)
  found = found.filter((one) => one.count === count)
  found.sort((a, b) => b.score - a.score || a.page - b.page)
  const hits = await Promise.all(found.slice(0, most).map((one) => shown(index, one)))
  const slips = read.flatMap(({ asked, typed }) => (typed === null ? [] : { typed, meant: asked.word }))
  return { total: found.length, words: read.map(({ asked }) => asked), slips, hits }
}

// Finds a word as it was typed, or else its correction.
async function readWord(index, asked) {
  const matches = await matchesOf(index, asked)
  const meant = matches.size || !asked.start ? null : await meantBy(index, asked.word)
  if (meant === null) return { asked, typed: null, matches }
  const word = { word: meant, start: true }
  return { asked: word, typed: asked.word, matches: await matchesOf(index, word) }
}

// The nearest word of the index. Prefers whole words to starts of words, then words of more pages.
async function meantBy(index, word) {
  const most = slipsAllowed(word)
  if (most === 0) return null
  const { fresh, hiddenNumbers } = index
  let best = null
  const look = ({ words, hits }, isShown) => {
    words.forEach((other, at) => {
      const near = nearestStart(word, other, best?.slips ?? most)
      if (near === null) return
      let pages = 0
      each(hits[at], (number) => {
        if (isShown(number)) pages++
      })
      const found = { ...near, isStart: Number(near.start !== other), pages }
      if (pages > 0 && (best === null || isNearer(found, best))) best = found
    })
  }
  const shards = await Promise.all(shardsNear(index, word).map((name) => index.wordShard(name)))
  for (const shard of shards) look(shard, (number) => !hiddenNumbers.has(number))
  if (fresh !== null) look(await index.wordShard(fresh), () => true)
  return best === null ? null : best.start
}

function isNearer(one, other) {
  return (one.slips - other.slips || one.isStart - other.isStart || other.pages - one.pages) < 0
}

// The shards of words with the same start, which is as short as the limit of shards allows.
function shardsNear({ base, firsts }, word) {
  for (let letters = 0; letters <= word.length; letters++) {
    const start = word.slice(0, letters)
    const from = Math.max(0, firstNotBefore(firsts, start) - 1)
    const to = bisect(firsts, (first) => first < start || first.startsWith(start))
    if (to - from <= NEAR_SHARDS) return base.words.slice(from, to)
  }
  return []
}

// The pages with the word, by number: first pages of the base, then pages of the fresh shard.
async function matchesOf(index, asked) {
  const matches = new Map()
  const { base, fresh, hiddenNumbers } = index
  const shards = await Promise.all(shardsFor(index, asked).map((name) => index.wordShard(name)))
  for (const shard of shards)
    gather(shard, asked, matches, (number) => (hiddenNumbers.has(number) ? -1 : number))
  if (fresh !== null) gather(await index.wordShard(fresh), asked, matches, (number) => base.total + number)
  return matches
}

// The shard of the word itself, and the next shards that can contain words that start with it.
function shardsFor({ base, firsts }, { word, start }) {
  if (!base.words.length) return []
  const at = firstAfter(firsts, word) - 1
  let end = at + 1
  const more = start ? Math.min(MORE_SHARDS, Math.max(0, [...word].length - 2)) : 0
  while (end < base.words.length && end <= at + more && firsts[end].startsWith(word)) end++
  return base.words.slice(at, end)
}

function gather({ words, hits }, { word, start }, matches, numberOf) {
  for (let at = firstNotBefore(words, word); at < words.length; at++) {
    const found = words[at]
    if (found !== word && !(start && found.startsWith(word))) return
    const closeness = found === word ? 1 : 0.3 + (0.5 * word.length) / found.length
    each(hits[at], (number, place) => {
      const page = numberOf(number)
      if (page < 0) return
      const weight = closeness * WEIGHTS[place % RANKS]
      const known = matches.get(page)
      if (!known || known.weight < weight) matches.set(page, { weight, section: Math.floor(place / RANKS) })
    })
  }
}

function each(hits, take) {
  let number = 0
  let at = 0
  const next = () => {
    for (let value = 0, shift = 0; ; shift += 5) {
      const digit = VALUES.get(hits[at++])
      value += (digit & 31) << shift
      if (digit < 32) return value
    }
  }
  while (at < hits.length) {
    number += next()
    take(number, next())
  }
}

async function shown({ base, fresh, shard }, { page, section }) {
  const number = page - base.total
  const size = base.pages_a_shard
  const line =
    number < 0
      ? (await shard(base.pages[Math.floor(page / size)]))[page % size]
      : (await shard(fresh)).pages[number]
  const [title, path, about, sections] = line
  const heading = sections[2 * section - 2]
  return {
    title,
    path,
    about,
    section:
      section > 0 && heading !== undefined
        ? { heading, anchor: sections[2 * section - 1] || usualAnchor(heading) }
        : null,
  }
}

function firstNotBefore(sorted, word) {
  return bisect(sorted, (other) => other < word)
}

function firstAfter(sorted, word) {
  return bisect(sorted, (other) => other <= word)
}

// The number of elements at the start for which the predicate is true.
function bisect(sorted, holds) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle])) low = middle + 1
    else high = middle
  }
  return low
}
