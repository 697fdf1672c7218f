import { describe, expect, test } from 'vitest'
import { testStorageContract } from '../contract/storage-contract.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'

describe('memory storage', () => {
  testStorageContract(async () => createMemoryStorage())

  test('logs its operations in order', async () => {
    const storage = createMemoryStorage()
    await storage.put({ key: 'a.html', body: Buffer.from('x') })
    await storage.get('a.html')
    await storage.delete(['a.html', 'b.html'])
    await storage.list('')
    expect(storage.log).toEqual(['put a.html', 'get a.html', 'delete a.html', 'delete b.html', 'list'])
  })

  test('fails as configured, before it changes anything', async () => {
    const full = new Error('full')
    const storage = createMemoryStorage({
      failOn: (operation, key) => (operation === 'put' && key === 'b.html' ? full : null),
    })
    await storage.put({ key: 'a.html', body: Buffer.from('x') })
    await expect(storage.put({ key: 'b.html', body: Buffer.from('x') })).rejects.toBe(full)
    expect(storage.log).toEqual(['put a.html'])
    expect(await storage.list('')).toEqual(['a.html'])
  })
})
