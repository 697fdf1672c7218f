import { currentOperations } from '../current/operations.ts'
import { WEBHOOK_MESSAGES } from '../current/webhook-messages.ts'
import { OPEN_OPERATIONS } from '../open-operations.ts'
import { legacyOperations } from '../v1/operations.ts'
import { createDocument, type OpenApiDocument } from './document.ts'

const TAGS = [
  { name: 'Projects', description: 'A project has pages, settings and hosting.' },
  {
    name: 'Pages',
    description: 'Content, by type: `page` (sections), `article` and `docs` (Markdown), `item` (fields).',
  },
  {
    name: 'Media',
    description: 'Pictures and files, which content names as `/media/{name}` and a publish puts on the site.',
  },
  {
    name: 'Publishing',
    description: 'These operations, and the `status` of a page, change the live site.',
  },
  { name: 'Pushes', description: 'What content folders pushed to a project, for `quoin push`.' },
  { name: 'Webhooks', description: 'Sends events to other systems, signed and at least once.' },
  { name: 'Members', description: 'The people who work on a project, each with a role.' },
  { name: 'Previews', description: 'Render a page as it would be published now.' },
  { name: 'Settings', description: 'Theme, branding, metadata, navigation and footer of a project.' },
  { name: 'Data Mode', description: 'Publishes encrypted content, which clients decrypt.' },
  { name: 'Account', description: 'The user and the key of the request.' },
  {
    name: 'Keys',
    description:
      'The API keys of the account, for keys with the permission `manage`, which none has by default.',
  },
  { name: 'Public sites', description: 'Published objects, without a key.' },
  { name: 'Service', description: 'Health, metrics and documentation of the service; no key is needed.' },
  {
    name: 'Legacy',
    description:
      'The deprecated surface under `/v1`: ids without prefixes, the envelope `{ success, data }`, and other names of types and fields. The settings resource of the current surface has every setting of the legacy one.',
  },
]

const DESCRIPTION = `
Manage websites as JSON over HTTPS: create pages in projects, publish them and read them back.

**Keys.** Every operation requires \`Authorization: Bearer <API key>\`, except those marked "No key needed".
A key can be restricted to one project, and to reading, writing or publishing. Only a key with the permission \`manage\`
sees and changes the keys of its account.

**Answers** have the form \`{ "data": … }\`; lists also have \`meta\`. **Errors** have the form
\`{ "statusCode", "name", "message" }\`; \`statusCode\` is the HTTP status, and the message names every invalid
field.

**Rate limits** apply per key, and to all keys and sessions of a user together. Every answer has the remaining requests
in \`X-RateLimit-*\`; a 429 has the seconds to wait in \`Retry-After\`.

**Retries.** A POST with an \`Idempotency-Key\` takes effect once, even when it is sent several times.
**Lost updates.** A PUT, a DELETE, a publish, an unpublish or a rollback with an \`If-Match\` is refused (412) when the
resource changed since that \`ETag\` was read. The refusal has the current \`ETag\`.
`.trim()

/**
 * Creates the OpenAPI document of both surfaces.
 *
 * @param themes names of the installed themes.
 * @param baseUrl URL of the service, without a trailing slash.
 */
export function createApiDocument({
  themes,
  baseUrl,
}: {
  readonly themes: readonly string[]
  readonly baseUrl: string
}): OpenApiDocument {
  return createDocument({
    operations: [...currentOperations(themes), ...OPEN_OPERATIONS, ...legacyOperations(themes)],
    messages: WEBHOOK_MESSAGES,
    tags: TAGS,
    description: DESCRIPTION,
    baseUrl,
  })
}
