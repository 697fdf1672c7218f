import { currentOperations } from '../../src/http/current/operations.ts'
import { SERVICE_VERSION } from '../../src/http/middleware/service-version.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { methodsOf } from './methods-of.ts'
import { typesOf } from './types-of.ts'

const THEMES = ['dark', 'default', 'minimal']
const document = createApiDocument({ themes: THEMES, baseUrl: 'http://127.0.0.1' })

/** The texts of the generated modules of the client, by file. */
export const MODULES: Readonly<Record<string, string>> = {
  'api-types.ts': typesOf(document, SERVICE_VERSION),
  'api-methods.ts': methodsOf(currentOperations(THEMES), document),
}
