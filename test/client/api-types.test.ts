import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SERVICE_VERSION } from '../../src/http/middleware/service-version.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { methodsOf } from './methods-of.ts'
import { typesOf } from './types-of.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../src/client/${name}`, import.meta.url))
const document = createApiDocument({ themes: ['dark', 'default', 'minimal'], baseUrl: 'http://127.0.0.1' })

// `npm run client` rewrites both files.
test('the types of the client are those of the API', async () => {
  await expect(typesOf(document, SERVICE_VERSION)).toMatchFileSnapshot(fileOf('api-types.ts'))
})

test('the methods of the client are the operations of the API', async () => {
  await expect(methodsOf(document)).toMatchFileSnapshot(fileOf('api-methods.ts'))
})
