import { expect, test } from 'vitest'
import { blogOf } from '../../src/domain/blog.ts'

const blogAt = (subroute: string, slug = 'trip', stated: string | null = null) =>
  blogOf({ type: 'article', subroute, slug }, stated)

test.each([
  ['blog', 'blog'],
  ['blog/2024', 'blog'],
  ['blog/2024/03', 'blog'],
  ['blog/travel/europe', 'blog'],
  ['en/posts/2024', 'en/posts'],
  ['company/news/2024', 'company/news'],
  ['diary/2024/03/10', 'diary'],
  ['diary/2024-03', 'diary'],
  ['company/stories', 'company/stories'],
  ['2024/03', '2024/03'],
])('an article in %s belongs to the blog %s', (subroute, blog) => {
  expect(blogAt(subroute)).toBe(blog)
})

test.each([
  ['blog/trip', 'blog'],
  ['blog/2024/trip', 'blog'],
  ['diary/trip', 'diary'],
  ['diary/2024/03/trip', 'diary'],
])('an article in a folder of its own, %s, belongs to the blog %s', (subroute, blog) => {
  expect(blogAt(subroute, 'index')).toBe(blog)
})

test.each(['blog', 'en/blog', 'diary'])('the page of the blog %s belongs to no blog', (subroute) => {
  expect(blogAt(subroute, 'index')).toBeNull()
})

test('a stated blog wins', () => {
  expect(blogAt('diary/travel', 'trip', 'diary')).toBe('diary')
  expect(blogAt('blog/2024', 'trip', 'blog/2024')).toBe('blog/2024')
  expect(blogAt('company/diary', 'index', 'company/diary')).toBeNull()
})

test('other pages and articles without a subroute belong to no blog', () => {
  expect(blogOf({ type: 'docs', subroute: 'blog', slug: 'a' }, null)).toBeNull()
  expect(blogAt('')).toBeNull()
})
