import { expect, test } from 'vitest'
import { ghostRoutes } from '../../../src/convert/ghost/routes.ts'

const routesWith = (filter: string) =>
  ghostRoutes(`collections:\n  /:\n    permalink: /{slug}/\n    filter: ${filter}\n`, undefined)

test('a filter of many parts is read', () => {
  expect(routesWith(`tag:-a${'+tag:-b'.repeat(5_000)}`).diagnostics).toEqual([])
})

test('a filter of many parts, the last of which is not read, is reported', () => {
  expect(routesWith(`tag:-a${'+tag:-b'.repeat(5_000)}+id:1`).diagnostics).toMatchObject([
    { code: 'QN-PARTLY-CONVERTED', file: 'routes.yaml' },
  ])
})
