import { JOB_OPERATIONS } from '../current/job-operations.ts'
import { PAGE_OPERATIONS } from '../current/page-operations.ts'
import { projectOperations } from '../current/project-operations.ts'
import { WEBHOOK_MESSAGES } from '../current/webhook-messages.ts'
import { WEBHOOK_OPERATIONS } from '../current/webhook-operations.ts'
import { OPEN_OPERATIONS } from '../open-operations.ts'
import { PREVIEW_OPERATIONS } from '../preview/preview-operations.ts'
import { legacyOperations } from '../v1/operations.ts'
import { createDocument, type OpenApiDocument } from './document.ts'

const TAGS = [
  { name: 'Projects', description: 'A project holds pages, their settings and where they are published.' },
  {
    name: 'Pages',
    description: 'Content, by type: `page` (sections), `article` and `docs` (Markdown), `item` (fields).',
  },
  {
    name: 'Publishing',
    description: 'What visitors see changes by these operations, and by `status` of a page.',
  },
  { name: 'Webhooks', description: 'Tells other systems of every publish, signed and at least once.' },
  { name: 'Previews', description: 'A page as it would be published now.' },
  { name: 'Settings', description: 'Theme, search engines, head, footer and links of a project.' },
  { name: 'Data Mode', description: 'Publishes content encrypted, for clients that decrypt it themselves.' },
  { name: 'Account', description: 'Who is asking.' },
  { name: 'Public sites', description: 'What is published, for everybody.' },
  { name: 'Service', description: 'The state of the service and its description; no key is needed.' },
  {
    name: 'Legacy',
    description:
      'The earlier surface under `/v1`, deprecated: bare ids, the envelope `{ success, data }`, and its own names of types and fields.',
  },
]

const DESCRIPTION = `
Manage websites as JSON over HTTPS: create pages in projects, publish them, read them back.

**Keys.** Every operation takes \`Authorization: Bearer <API key>\`, but for those marked as open.
A key may be restricted to one project, and to reading, writing or publishing.

**Answers** are \`{ "data": … }\`, lists with a \`meta\` beside it. **Errors** are
\`{ "statusCode", "name", "message" }\`, flat, and \`statusCode\` is the HTTP status; the message names every
field that is wrong.

**Limits** count per key. Each answer says in \`X-RateLimit-*\` what is left; a 429 says in \`Retry-After\` when to
come back.

**Sending again.** A POST with an \`Idempotency-Key\` has its effect once, however often it arrives.
**Lost updates.** A PUT with the \`ETag\` you read as \`If-Match\` is refused (412) when somebody else wrote first.
`.trim()

/**
 * The whole API, both surfaces.
 *
 * @param themes the installed ones.
 * @param baseUrl where the service is reached, without a slash at its end.
 */
export function createApiDocument({
  themes,
  baseUrl,
}: {
  readonly themes: readonly string[]
  readonly baseUrl: string
}): OpenApiDocument {
  return createDocument({
    operations: [
      ...projectOperations(themes),
      ...PAGE_OPERATIONS,
      ...JOB_OPERATIONS,
      ...WEBHOOK_OPERATIONS,
      ...PREVIEW_OPERATIONS,
      ...OPEN_OPERATIONS,
      ...legacyOperations(themes),
    ],
    messages: WEBHOOK_MESSAGES,
    tags: TAGS,
    description: DESCRIPTION,
    baseUrl,
  })
}
