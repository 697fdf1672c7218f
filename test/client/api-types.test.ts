import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { typesOf } from './types-of.ts'

const file = fileURLToPath(new URL('../../src/client/api-types.ts', import.meta.url))

// `npm run client` rewrites them.
test('the types of the client are those of the API', async () => {
  const document = createApiDocument({ themes: ['dark', 'default', 'minimal'], baseUrl: 'http://127.0.0.1' })
  await expect(typesOf(document)).toMatchFileSnapshot(file)
})
