// Generated from the API's description by `npm run client`. Do not edit.

/** The version of the API that the types describe. */
export const API_VERSION = '2026-11-01'

export type Asset = {
  readonly id: string
  readonly project_id: string
  readonly name: string
  /** What the bytes are, whatever the name says. */
  readonly kind: 'image' | 'video' | 'audio' | 'font' | 'document' | 'other'
  /** `application/octet-stream` for HTML, scripts, XML and unknown types, which are served as downloads. */
  readonly content_type: string
  /** Of the file as it was uploaded. */
  readonly bytes: number
  /** SHA-256 of the file as it was uploaded. */
  readonly digest: string
  /** In pixels, as the picture or film is shown; null where it is unknown. */
  readonly width: number | null
  readonly height: number | null
  readonly animated: boolean
  /** A blurred preview in about 25 bytes, base64 (ThumbHash). */
  readonly thumbhash: string | null
  readonly alt: string
  readonly title: string
  /** The part that crops keep; null for the middle. */
  readonly focus: {
    readonly x: number
    readonly y: number
  } | null
  /** How content names the asset. The service has no such address: only published files are public. */
  readonly url: string
  /** Smaller pictures that were derived from it so far, by format, then width. */
  readonly variants: readonly ({
    readonly width: number
    readonly height: number
    readonly format: 'webp' | 'avif'
    /** On the site, once a page that shows the picture is live. */
    readonly url: string
    readonly bytes: number
  })[]
  /** `processing` while variants are being made. */
  readonly status: 'processing' | 'ready' | 'failed'
  /** Why the status is `failed`. */
  readonly failure: string | null
  /** Number of pages, live or as they are now, and of settings that name it. */
  readonly used_by: number
  readonly created_at: string
  readonly updated_at: string
  /** The file of a content folder that it was last pushed from; null for none. */
  readonly source: {
    readonly folder: string
    readonly path: string
    /** SHA-256 of the fields as canonical JSON (RFC 8785), or of the bytes of a file. */
    readonly digest: string
    /** The first 16 hex digits of the digest of each field that was pushed. Empty for a file. */
    readonly fields: Readonly<Record<string, string>>
    /** The commit of the folder; null without Git. */
    readonly revision: string | null
    readonly pushed_at: string
  } | null
}

export type AssetUsage = {
  /** The first 100: those that are live, then by address. */
  readonly pages: readonly {
    readonly id: string
    readonly title: string
    readonly subroute: string
    readonly slug: string
    /** Whether the page as it is now names it. */
    readonly draft: boolean
    /** Whether the page as it is live names it. */
    readonly live: boolean
  }[]
  readonly total_pages: number
  /** Settings that name it, now or as they are live. */
  readonly settings: readonly string[]
}

export type AuditEntry = {
  readonly id: string
  readonly created_at: string
  /** `page.create`: A page was created. `page.update`: Fields of a page were changed. `page.undo`: A change of a page was undone. The publish in the same request was refused. `page.publish`: A page went live, or a newer version of it. `page.unpublish`: A page was taken off the live site. `page.roll_back`: An earlier release of a page went live again. `page.refresh`: A live page got smaller pictures that came after its publish. `page.delete`: A page was deleted. `page.schedule`: A publish of a page was scheduled. `page.unschedule`: A scheduled publish was cancelled. `page.propose`: A page was proposed for publishing. `page.withdraw`: A proposal of a page was taken back. `preview.create`: A link was created that shows a preview of a page without a key. `preview.end`: A preview link was opened after its end for the first time, and never opens again. `page.return`: A proposed page was returned to its author. `project.create`: A project was created. `project.update`: Fields of a project were changed. `project.delete`: A project was deleted. `project.offer`: A project was offered to another account, or the offer was declined or taken back. `project.transfer`: A project was given to the account of another user. `project.replace_secrets`: Secrets of a project that no master key opens were replaced. `push.start`: A push of a content folder to the project began. `push.end`: A push of a content folder ended. `settings.update`: Settings of a project were changed. `domain.check`: A check of the custom domain was requested. `domain.activate`: The custom domain became active. `domain.fail`: The custom domain could not be proved, or another project has it. `domain.release`: The custom domain was taken from a project. `data_mode.enable`: Data Mode was switched on. `data_mode.disable`: Data Mode was switched off. `data_mode.regenerate_key`: The content key was replaced. `asset.create`: A picture or file was uploaded. `asset.update`: The texts, the focus or the name of an asset were changed. `asset.replace`: The bytes of an asset were replaced. `asset.restore`: Lost bytes of an asset, or its smaller pictures, were restored. `asset.delete`: An asset was deleted. `webhook.create`: A webhook was created. `webhook.update`: Fields of a webhook were changed. `webhook.rotate_secret`: A webhook got a new secret. `webhook.test`: A test event was sent. `webhook.redeliver`: A delivery was sent again. `webhook.disable`: Quoin switched a failing webhook off. `webhook.delete`: A webhook was deleted. `member.invite`: A person was invited to a project. `member.resend`: An invitation got a new link. `member.accept`: A person accepted an invitation. `member.decline`: A person declined an invitation. `member.update`: A member got another role. `member.remove`: A member was removed, or left. `redirect.create`: A redirect of a project was created. `redirect.update`: A redirect of a project was changed. `redirect.delete`: A redirect of a project was deleted. `job.start`: A bulk publish was started. Each page that goes live has a row of its own. `job.cancel`: A job was cancelled. `job.retry`: A job was run again. `key.create`: An API key was created. `key.update`: Fields of an API key were changed. `key.rotate`: An API key got a new secret. `key.reissue`: A repeated request gave an API key another secret, because the first answer was not received. `key.revoke`: An API key was revoked. `user.create`: A user was created. `user.lock`: An account was locked: its sessions ended, and its keys and sign-ins are refused. `user.unlock`: A locked account can be used again. `user.delete`: A user was deleted. Only the id stays, without anything of the person. `user.merge`: A user was merged into another one, and erased. `user.set_limits`: Limits of an account were changed. `user.issue_set_up_link`: A link was issued with which a user sets a password. `user.set_password`: The password of a user was set or changed, which ended the other sessions of that user. `user.set_email`: A user got an e-mail address. `user.enable_second_factor`: Sign-ins of a user need a code since then, which ended the other sessions of that user. `user.disable_second_factor`: Sign-ins of a user need no code since then. `user.renew_recovery_codes`: A user got new recovery codes. `user.add_passkey`: A user can sign in with another passkey since then. `user.remove_passkey`: A passkey of a user was removed. `session.start`: A person signed in. `session.end`: A person signed out, or ended a session. `session.refuse`: Sign-ins of a user were refused, from one address and for one reason within ten minutes. */
  readonly act: 'page.create' | 'page.update' | 'page.undo' | 'page.publish' | 'page.unpublish' | 'page.roll_back' | 'page.refresh' | 'page.delete' | 'page.schedule' | 'page.unschedule' | 'page.propose' | 'page.withdraw' | 'preview.create' | 'preview.end' | 'page.return' | 'project.create' | 'project.update' | 'project.delete' | 'project.offer' | 'project.transfer' | 'project.replace_secrets' | 'push.start' | 'push.end' | 'settings.update' | 'domain.check' | 'domain.activate' | 'domain.fail' | 'domain.release' | 'data_mode.enable' | 'data_mode.disable' | 'data_mode.regenerate_key' | 'asset.create' | 'asset.update' | 'asset.replace' | 'asset.restore' | 'asset.delete' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'webhook.test' | 'webhook.redeliver' | 'webhook.disable' | 'webhook.delete' | 'member.invite' | 'member.resend' | 'member.accept' | 'member.decline' | 'member.update' | 'member.remove' | 'redirect.create' | 'redirect.update' | 'redirect.delete' | 'job.start' | 'job.cancel' | 'job.retry' | 'key.create' | 'key.update' | 'key.rotate' | 'key.reissue' | 'key.revoke' | 'user.create' | 'user.lock' | 'user.unlock' | 'user.delete' | 'user.merge' | 'user.set_limits' | 'user.issue_set_up_link' | 'user.set_password' | 'user.set_email' | 'user.enable_second_factor' | 'user.disable_second_factor' | 'user.renew_recovery_codes' | 'user.add_passkey' | 'user.remove_passkey' | 'session.start' | 'session.end' | 'session.refuse'
  /** Null for what belongs to no project. The project may have been deleted. */
  readonly project_id: string | null
  /** The record that was changed. It may have been deleted. */
  readonly target: {
    readonly type: 'page' | 'project' | 'asset' | 'webhook' | 'job' | 'member' | 'key' | 'user' | 'session' | 'redirect'
    readonly id: string
  }
  /** Who did it. Of a job: who started it. */
  readonly actor: {
    /** `operator`: the command line. `service`: the service itself, such as a domain that was proved. */
    readonly type: 'key' | 'session' | 'operator' | 'service'
    /** Null for the operator and the service. */
    readonly user_id: string | null
    /** The API key or the session. */
    readonly credential_id: string | null
    /** The bulk or scheduled publish that did it on request of the actor. */
    readonly job_id: string | null
    /** An IPv4 address, or the first 64 bits of an IPv6 address. */
    readonly client_address: string | null
    /** Id of the request in the log of the service. */
    readonly request_id: string | null
  }
  /** What it was before; null where it did not exist, or was not live. */
  readonly before: {
    /** Its version; null where it is not told apart by that. */
    readonly version: number | null
    /** The release that was live. */
    readonly release_id: string | null
    /** SHA-256 of its bytes, hex. */
    readonly digest: string | null
  } | null
  /** What it is after; null where it does not exist, or is not live. */
  readonly after: {
    /** Its version; null where it is not told apart by that. */
    readonly version: number | null
    /** The release that was live. */
    readonly release_id: string | null
    /** SHA-256 of its bytes, hex. */
    readonly digest: string | null
  } | null
  /** Names of the fields that changed. */
  readonly fields: readonly string[]
  /** Why sign-ins were refused; null for other acts. */
  readonly reason: 'password' | 'code' | 'passkey' | 'locked' | 'limit' | null
  /** Number of refused sign-ins. Null for other acts. */
  readonly count: number | null
}

export type ChangeDataMode = {
  readonly action: 'enable' | 'disable' | 'regenerate-key'
}

export type ChangedDataMode = {
  readonly enabled: true
  /** 32 bytes in base64. Shown in this answer only. */
  readonly contentKey: string
} | {
  readonly enabled: false
}

export type CreateKey = {
  /** What the key is for. */
  readonly name: string
  /** The only project that the key may be used for; null for all projects. By default that of the key of the request. */
  readonly project_scope?: string | null | undefined
  /** By default `read`, `write` and `publish`, as far as the key of the request has them. */
  readonly permissions?: readonly ('read' | 'write' | 'publish' | 'manage')[] | undefined
  /** When the key ends; null for never. Not later than the end of the key of the request, which is the default. */
  readonly expires_at?: string | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly plan?: unknown
  /** Ignored. */
  readonly revoked_at?: unknown
  /** Ignored. */
  readonly former_until?: unknown
  /** Ignored. */
  readonly created_at?: unknown
}

export type CreatePage = {
  /** The id of a project, with or without `proj_`. */
  readonly project_id: string
  /** The title of the page. */
  readonly title?: string | undefined
  /** The last segment of the path. Stored in lower case; unique within project and subroute. ASCII letters, digits and hyphens, unless `hosting.slugs` of the project is `wide`. */
  readonly slug: string
  /** The segments of the path before the slug: up to 8, joined by `/`, or empty, in the characters of a slug. Stored in lower case, without slashes around it. */
  readonly subroute: string
  /** One or two sentences for search engines, link previews and lists. */
  readonly description?: string | undefined
  /** The picture of link previews of the page. */
  readonly og_image_url?: string | null | undefined
  /** `post` is `article`, `doc` is `docs`. */
  readonly type: 'page' | 'article' | 'docs' | 'item' | 'post' | 'doc'
  /** Metadata for search engines. An update merges it with the stored values; null clears one. */
  readonly meta?: {
    readonly title?: string | null | undefined
    readonly description?: string | null | undefined
    readonly keywords?: string | null | undefined
    readonly robots?: string | null | undefined
  } | undefined
  /** Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces the stored value. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly markdown_content?: string | null | undefined
  /** Names of up to 20 tags. Names with one address, such as `Node JS` and `node-js`, are one tag. Each tag of the articles of a blog has a list and a feed at `{blog}/tags/{tag}`. */
  readonly tags?: readonly string[] | undefined
  /** The code of the language of the page, one of the setting `locales`. By default that of the longest subroute of a locale which the path starts with. */
  readonly locale?: string | null | undefined
  /** Pages in different languages with one key are translations of each other. By default the path without the subroute of its locale. */
  readonly translation_key?: string | null | undefined
  /** The date of an `article` in ISO 8601, kept with its offset: readers see the day as written. A bare date such as `2026-03-01` is midnight UTC, and a time without a zone is in UTC. */
  readonly publish_date?: string | null | undefined
  /** The author of an `article`: a name, or an object with `name`, `avatar`, `bio` and `url`, which a box at its end shows. */
  readonly author?: string | {
    readonly name: string
    /** An http or https URL, or one that starts with `/`. */
    readonly avatar?: string | null | undefined
    readonly bio?: string | undefined
    /** An http or https URL, or one that starts with `/`. */
    readonly url?: string | undefined
  } | null | undefined
  /** The id of an `article` in every feed that has it, such as the one that it had in the feed of a former site; unique in the project. By default an id that the first publish gives it for good. A change of the id shows the article to readers of feeds as a new one. */
  readonly feed_guid?: string | null | undefined
  /** Position of a `docs` page among its siblings; lower comes first. */
  readonly nav_order?: number | undefined
  /** The id of the parent of a `docs` page, in the same project. */
  readonly parent_page?: string | null | undefined
  /** The file of a content folder that the record is pushed from. `quoin push` sends it; a body with it alone records the stored values as pushed. Ignored as a GET answers it. */
  readonly source?: {
    /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
    readonly folder: string
    /** The file, relative to the folder. */
    readonly path: string
    /** Whether a push of the folder created the record, where that is not known from its creation. */
    readonly created?: boolean | undefined
  } | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly url?: unknown
  /** Ignored. */
  readonly sections_count?: unknown
  /** Ignored. */
  readonly word_count?: unknown
  /** Ignored. */
  readonly feed_id?: unknown
  /** Ignored. */
  readonly published_at?: unknown
  /** Ignored. */
  readonly scheduled_at?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
  /** Ignored. */
  readonly has_unpublished_changes?: unknown
  /** Ignored. */
  readonly stale?: unknown
  /** The same field as `title`. */
  readonly page_name?: string | undefined
} & ({ readonly title: unknown } | { readonly page_name: unknown })

export type CreateProject = {
  readonly name: string
  readonly hosting?: {
    /** The characters of addresses: `standard` for ASCII letters, digits and hyphens, `wide` for letters and digits of any script, `_` and `.` as well. `wide` cannot be left while a page needs it. */
    readonly slugs?: 'standard' | 'wide' | undefined
  } | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly slug?: unknown
  /** Ignored. */
  readonly hosting_mode?: unknown
  /** Ignored. */
  readonly page_count?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
  /** Ignored. */
  readonly pages?: unknown
  /** Ignored. */
  readonly stats?: unknown
}

export type CreateRedirect = {
  /** A path of the site that no page has, such as `/old/page`, `/old/page.html` or `/index.xml`. */
  readonly from: string
  /** The id of a page, the path of a page, list, feed or file of the site, also with `#heading`, or an `https:` URL. Patterns are not possible. */
  readonly to?: string | undefined
  /** In place of `to`: the page whose `redirect_from` gets the path. A page has at most 20 of them. */
  readonly page_id?: string | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly kind?: unknown
  /** Ignored. */
  readonly target?: unknown
  /** Ignored. */
  readonly fragment?: unknown
  /** Ignored. */
  readonly live?: unknown
  /** Ignored. */
  readonly dead?: unknown
  /** Ignored. */
  readonly created_at?: unknown
}

export type CreateWebhook = {
  /** The URL that receives events: `https`, without user name and password; its host must not resolve to a private or reserved address. */
  readonly url: string
  /** The types of events to send. */
  readonly events?: readonly ('page.published' | 'page.unpublished' | 'page.created' | 'page.updated' | 'page.deleted' | 'release.rolled_back' | 'project.pushed')[] | undefined
  /** A note for people; it has no effect. */
  readonly description?: string | undefined
  /** False: nothing is sent, and pending deliveries fail. Setting it to true again clears the failures. */
  readonly active?: boolean | undefined
  /** Length of the window in seconds whose events are sent as one message of type `batch`, with at most 100 events; 0 sends each event in a message of its own. */
  readonly coalesce_seconds?: number | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly failing_since?: unknown
  /** Ignored. */
  readonly off_reason?: unknown
  /** Ignored. */
  readonly created_at?: unknown
}

export type CreatedPage = {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived'
  /** The public URL of the page. */
  readonly url: string
  readonly project_id: string
  readonly created_at: string
  readonly updated_at: string
  /** Time of the last publish; an unpublish does not clear it. */
  readonly published_at: string | null
}

export type DataModeStatus = {
  readonly enabled: boolean
  readonly enabled_at: string | null
}

export type Delivery = {
  readonly id: string
  /** Sent as `webhook-id`: the same on every attempt, so that receivers can ignore duplicates. */
  readonly event_id: string
  readonly type: string
  readonly status: 'pending' | 'delivered' | 'failed'
  /** Attempts of the current round. */
  readonly attempts: number
  readonly next_attempt_at: string | null
  /** The request body. */
  readonly body: Readonly<Record<string, unknown>>
  /** The last 20 attempts, oldest first. */
  readonly tries: readonly ({
    readonly at: string
    readonly duration_ms: number
    /** HTTP status of the answer; null without one. */
    readonly status: number | null
    /** The first 2,000 characters of the answer. */
    readonly answer: string
    /** Why the attempt failed; null when it succeeded. */
    readonly error: string | null
  })[]
  readonly created_at: string
  readonly finished_at: string | null
}

export type DisabledDataMode = {
  readonly project_id: string
  readonly data_mode: {
    readonly enabled: false
    readonly cdn_base: null
  }
}

export type DocsNavEntry = {
  readonly title: string
  readonly slug?: string | undefined
  readonly badge?: string | undefined
  readonly icon?: string | undefined
  readonly children?: readonly DocsNavEntry[] | undefined
}

/** How to prove `custom_domain`; null without a domain. */
export type DomainChallenge = {
  /** Publish this as the TXT record, or as the content of the file. */
  readonly token: string
  readonly txt_record: string
  readonly file_url: string
  readonly checked_at: string | null
  /** Why the last check failed; null after a successful one. */
  readonly problem: string | null
}

/** The plan of a publish. */
export type DryRun = {
  readonly id: string
  readonly dry_run: true
  /** The current status; a dry run does not change it. */
  readonly status: 'draft' | 'published' | 'archived'
  /** The public URL of the page. */
  readonly url: string
  /** False when the same content is already live. */
  readonly changed: boolean
  readonly objects: readonly ({
    /** Relative to the project's prefix. */
    readonly key: string
    readonly action: 'put' | 'keep' | 'delete'
    /** For `put`: `new`, `changed` or `headers`; for `keep`: `unchanged`; for `delete`: `obsolete`. */
    readonly reason: 'new' | 'changed' | 'headers' | 'unchanged' | 'obsolete'
    /** In bytes. */
    readonly size: number
  })[]
  readonly warnings: readonly ({
    /** A stable name for the kind of warning. Absent from warnings recorded by versions without codes. */
    readonly code?: string | undefined
    /** Position in the page, e.g. `config.sections[2]`; null for the whole page. */
    readonly at: string | null
    readonly message: string
  })[]
}

export type EmbeddedSettings = {
  /** The theme of the site: `default`, `dark`, `minimal`, or a custom one. */
  readonly theme: string
  /** The icon in the browser tab: the URL of a .ico, .png or .svg file. */
  readonly favicon: string | null
  /** The picture in the header of each page: the URL of a .png, .jpg, .jpeg or .svg file. */
  readonly logo: string | null
  /** The picture of link previews for pages without one of their own. */
  readonly social_image: string | null
  /** The description for search engines on pages without one of their own. */
  readonly meta_description: string | null
  /** A measurement id of Google Analytics, e.g. `G-ABC1234567`. */
  readonly google_analytics: string | null
  /** CSS that follows the CSS of the theme: at most 51,200 bytes, well-formed, nested at most 8 levels deep, without `@import`. URLs must be `https`, relative, or images and fonts in `data:` URLs. An error names its line and column. */
  readonly custom_css: string | null
}

export type EnabledDataMode = {
  readonly project_id: string
  readonly data_mode: {
    readonly enabled: true
    readonly cdn_base: string
  }
  /** 32 bytes in base64. Shown in this answer only. */
  readonly encryption_key: string
}

export type ErrorBody = {
  /** The HTTP status. */
  readonly statusCode: number
  readonly name: 'missing_api_key' | 'unauthorized' | 'invalid_api_key' | 'forbidden' | 'project_scope_violation' | 'not_found' | 'method_not_allowed' | 'not_published' | 'already_enabled' | 'not_enabled' | 'validation_error' | 'invalid_request' | 'missing_required_field' | 'conflict' | 'precondition_failed' | 'payload_too_large' | 'rate_limit_exceeded' | 'internal_error' | 'service_unavailable'
  readonly message: string
  /** For 429: seconds to wait. */
  readonly retry_after?: number | undefined
  /** For 429: number of requests that the window allows. */
  readonly limit?: number | undefined
  /** Only with 429: the exceeded window. `account` is the budget of all keys and sessions of the user. */
  readonly window?: 'burst' | 'minute' | 'hour' | 'month' | 'endpoint' | 'account' | undefined
  /** For requests with `Prefer: errors=fields`: all invalid fields, up to 100. Empty when the error is about none. */
  readonly errors?: readonly FieldError[] | undefined
}

export type FieldError = {
  /** The path of the field, as in `nav_links[2].href`; empty for the body itself. */
  readonly field: string
  /** `required`: The field is absent or null.

`unknown_field`: The resource has no field of this name.

`wrong_type`: The value has another JSON type.

`not_allowed`: The value is not one of those that the field can have.

`wrong_length`: The text or list is too short or too long.

`out_of_range`: The number or date is too small or too large.

`wrong_format`: The text has another form: it is no URL, date, id, slug or the like.

`given_twice`: The parameter, or an entry of the list, was given more than once.

`contradictory`: Two names of one field have different values.

`cannot_change`: The field has another value, which cannot change.

`taken`: Another record has the value, or it is reserved.

`invalid`: Another rule; the message says which. */
  readonly code: 'required' | 'unknown_field' | 'wrong_type' | 'not_allowed' | 'wrong_length' | 'out_of_range' | 'wrong_format' | 'given_twice' | 'contradictory' | 'cannot_change' | 'taken' | 'invalid'
  /** Ends a sentence that begins with the field. */
  readonly message: string
}

export type GonePageEvent = {
  readonly project_id: string
  readonly page_id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly page_type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived' | 'deleted'
  /** The absolute URL that the page has, had or would have. */
  readonly url: string
  readonly unpublished_at: string
  readonly release_id: string
}

export type Hosting = {
  readonly mode: 'full_host' | 'rewrite' | 'data_mode'
  readonly subdomain: string | null
  readonly custom_domain: string | null
  readonly ssl_enabled: boolean
  readonly cdn_enabled: boolean
  readonly base_path: string
  readonly manifest: 'full' | 'minimal'
  /** The characters that addresses of pages may hold. */
  readonly slugs: 'standard' | 'wide'
  /** State of the proof of `custom_domain`, which is served while it is `active`; `none` without a domain. */
  readonly domain_status: 'none' | 'pending' | 'active' | 'failed'
  readonly domain_challenge: DomainChallenge | null
}

export type Invitation = {
  /** Lets its holder join this project: after signing in, or with a new account. Shown in this answer only. */
  readonly invitation_url: string | null
  /** When the invitation ends; null once it was accepted. */
  readonly expires_at: string | null
  readonly mail: {
    /** Status of the last mail of the invitation. */
    readonly status: 'none' | 'queued' | 'sent' | 'failed'
    /** Since when; null for none. */
    readonly at: string | null
    /** Why it failed: the mail server refused the recipient or the mail for good, could not be reached, or went on refusing it for a day. Null otherwise. */
    readonly problem: 'address_refused' | 'content_refused' | 'server_unreachable' | 'gave_up' | null
  }
}

export type InviteMember = {
  /** The address to invite. Case is ignored. */
  readonly email: string
  /** `owner`: everything; `editor`: pages, media, publishing and settings; `author`: pages and media; `viewer`: reading. */
  readonly role: 'owner' | 'editor' | 'author' | 'viewer'
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly state?: unknown
  /** Ignored. */
  readonly invited_at?: unknown
  /** Ignored. */
  readonly expires_at?: unknown
  /** Ignored. */
  readonly source?: unknown
  /** Ignored. */
  readonly mail?: unknown
  /** Ignored. */
  readonly invitation_url?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
}

export type InvitedMember = {
  readonly id: string
  /** In lower case: the invited address, and then that of the person who accepted. */
  readonly email: string
  readonly role: 'owner' | 'editor' | 'author' | 'viewer'
  /** `active` once the person has accepted. Only then the member has the rights of the role. */
  readonly state: 'invited' | 'active' | 'declined' | 'expired'
  /** Time of the last invitation; null without one. */
  readonly invited_at: string | null
  /** When the invitation ends; null once it was accepted. */
  readonly expires_at: string | null
  /** Who made the person a member: an owner, or a sign-in provider by its groups. */
  readonly source: 'hand' | 'provider'
  readonly mail: {
    /** Status of the last mail of the invitation. */
    readonly status: 'none' | 'queued' | 'sent' | 'failed'
    /** Since when; null for none. */
    readonly at: string | null
    /** Why it failed: the mail server refused the recipient or the mail for good, could not be reached, or went on refusing it for a day. Null otherwise. */
    readonly problem: 'address_refused' | 'content_refused' | 'server_unreachable' | 'gave_up' | null
  }
  readonly created_at: string
  readonly updated_at: string
  /** Lets its holder join this project: after signing in, or with a new account. Shown in this answer only. */
  readonly invitation_url?: string | undefined
}

export type Job = {
  readonly id: string
  /** A finished job has `succeeded` when every page went live; otherwise it has `failed`, as has a cancelled job. */
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Number of pages to publish. */
  readonly total: number
  /** Number of pages that are done, including failed ones. */
  readonly done: number
  /** Pages that did not go live, with the reason. */
  readonly failed: readonly {
    readonly page_id: string
    readonly message: string
  }[]
  readonly created_at: string
  readonly finished_at: string | null
  /** When a scheduled publish happens; null for other jobs. */
  readonly scheduled_at: string | null
  /** Warnings about pages that went live, the first 1,000. Present when the job has ended with warnings. */
  readonly warnings?: readonly ({
    readonly page_id: string
    /** A stable name for the kind of warning. Absent from warnings recorded by versions without codes. */
    readonly code?: string | undefined
    /** Position in the page, e.g. `config.sections[2]`; null for the whole page. */
    readonly at: string | null
    readonly message: string
    /** The text that the warning is about, or the start of it. */
    readonly written?: string | undefined
  })[] | undefined
  /** Number of warnings, including those that are not listed. */
  readonly warning_count?: number | undefined
}

export type Key = {
  readonly id: string
  readonly name: string
  /** The only project that the key may be used for; null for all projects. */
  readonly project_scope: string | null
  readonly permissions: readonly ('read' | 'write' | 'publish' | 'manage')[]
  /** The rate limits of the key. */
  readonly plan: 'standard' | 'free' | 'pro' | 'business' | 'enterprise'
  /** Null when the key does not expire. */
  readonly expires_at: string | null
  /** Null unless the key was revoked. */
  readonly revoked_at: string | null
  /** Until when the secret before the last rotation is accepted; null without a rotation. */
  readonly former_until: string | null
  readonly created_at: string
}

export type KeyWithSecret = {
  readonly id: string
  readonly name: string
  /** The only project that the key may be used for; null for all projects. */
  readonly project_scope: string | null
  readonly permissions: readonly ('read' | 'write' | 'publish' | 'manage')[]
  /** The rate limits of the key. */
  readonly plan: 'standard' | 'free' | 'pro' | 'business' | 'enterprise'
  /** Null when the key does not expire. */
  readonly expires_at: string | null
  /** Null unless the key was revoked. */
  readonly revoked_at: string | null
  /** Until when the secret before the last rotation is accepted; null without a rotation. */
  readonly former_until: string | null
  readonly created_at: string
  /** `qn_live_` and 38 characters. Shown in this answer only. */
  readonly key: string
}

export type LegacyAsset = {
  readonly id: string
  readonly project_id: string
  readonly name: string
  /** What the bytes are, whatever the name says. */
  readonly kind: 'image' | 'video' | 'audio' | 'font' | 'document' | 'other'
  /** `application/octet-stream` for HTML, scripts, XML and unknown types, which are served as downloads. */
  readonly content_type: string
  /** Of the file as it was uploaded. */
  readonly bytes: number
  /** SHA-256 of the file as it was uploaded. */
  readonly digest: string
  /** In pixels, as the picture or film is shown; null where it is unknown. */
  readonly width: number | null
  readonly height: number | null
  readonly animated: boolean
  /** A blurred preview in about 25 bytes, base64 (ThumbHash). */
  readonly thumbhash: string | null
  readonly alt: string
  readonly title: string
  /** The part that crops keep; null for the middle. */
  readonly focus: {
    readonly x: number
    readonly y: number
  } | null
  /** How content names the asset. The service has no such address: only published files are public. */
  readonly url: string
  /** Smaller pictures that were derived from it so far, by format, then width. */
  readonly variants: readonly ({
    readonly width: number
    readonly height: number
    readonly format: 'webp' | 'avif'
    /** On the site, once a page that shows the picture is live. */
    readonly url: string
    readonly bytes: number
  })[]
  /** `processing` while variants are being made. */
  readonly status: 'processing' | 'ready' | 'failed'
  /** Why the status is `failed`. */
  readonly failure: string | null
  /** Number of pages, live or as they are now, and of settings that name it. */
  readonly used_by: number
  readonly created_at: string
  readonly updated_at: string
}

export type LegacyAssetUsage = {
  /** The first 100: those that are live, then by address. */
  readonly pages: readonly {
    readonly id: string
    readonly title: string
    readonly subroute: string
    readonly slug: string
    /** Whether the page as it is now names it. */
    readonly draft: boolean
    /** Whether the page as it is live names it. */
    readonly live: boolean
  }[]
  readonly total_pages: number
  /** Settings that name it, now or as they are live. */
  readonly settings: readonly string[]
}

export type LegacyChangeDataMode = {
  readonly action: 'enable' | 'disable' | 'regenerate-key'
}

export type LegacyChangedDataMode = {
  readonly enabled: true
  /** 32 bytes in base64. Shown in this answer only. */
  readonly contentKey: string
} | {
  readonly enabled: false
}

export type LegacyCreatePage = {
  /** The id of a project, with or without `proj_`. */
  readonly project_id: string
  readonly page_name?: string | undefined
  /** Stored in lower case; unique within project and subroute. */
  readonly slug: string
  /** Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it. */
  readonly subroute?: string | undefined
  /** `post` is `article`, `doc` is `docs`. */
  readonly type?: 'page' | 'article' | 'docs' | 'item' | 'post' | 'doc' | undefined
  readonly markdown_content?: string | undefined
  /** Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces the stored value. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** The same field as `page_name`. */
  readonly title?: string | undefined
} & ({ readonly page_name: unknown } | { readonly title: unknown })

export type LegacyCreateProject = {
  readonly name: string
}

export type LegacyDataModeStatus = {
  readonly enabled: boolean
  readonly enabled_at: string | null
}

export type LegacyDocsNavEntry = {
  readonly title: string
  readonly slug?: string | undefined
  readonly badge?: string | undefined
  readonly icon?: string | undefined
  readonly children?: readonly LegacyDocsNavEntry[] | undefined
}

export type LegacyErrorBody = {
  /** The HTTP status. */
  readonly statusCode: number
  readonly name: 'missing_api_key' | 'unauthorized' | 'invalid_api_key' | 'forbidden' | 'project_scope_violation' | 'not_found' | 'method_not_allowed' | 'not_published' | 'already_enabled' | 'not_enabled' | 'validation_error' | 'invalid_request' | 'missing_required_field' | 'conflict' | 'precondition_failed' | 'payload_too_large' | 'rate_limit_exceeded' | 'internal_error' | 'service_unavailable'
  readonly message: string
  /** For 429: seconds to wait. */
  readonly retry_after?: number | undefined
  /** For 429: number of requests that the window allows. */
  readonly limit?: number | undefined
  /** Only with 429: the exceeded window. `account` is the budget of all keys and sessions of the user. */
  readonly window?: 'burst' | 'minute' | 'hour' | 'month' | 'endpoint' | 'account' | undefined
}

export type LegacyMissingDigests = {
  readonly digests: readonly string[]
}

export type LegacyPage = {
  readonly id: string
  readonly project_id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'post' | 'doc'
  readonly is_published: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly markdown_content: string
  readonly config: Readonly<Record<string, unknown>>
}

export type LegacyPageItem = {
  readonly id: string
  readonly project_id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'post' | 'doc'
  readonly is_published: boolean
  readonly created_at: string
  readonly updated_at: string
}

export type LegacyPageRef = {
  readonly pageId?: string | undefined
  /** The same field as `pageId`. */
  readonly page_id?: string | undefined
} & ({ readonly pageId: unknown } | { readonly page_id: unknown })

export type LegacyPendingPage = {
  readonly page_id: string
  readonly status: "pending"
  readonly job_id: string
}

export type LegacyProject = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
  readonly context: string
  /** The stored settings and the custom domain. */
  readonly settings: {
    readonly custom_domain: string | null
    readonly [field: string]: unknown
  }
}

export type LegacyProjectItem = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
}

export type LegacyPublishedPage = {
  readonly page_id: string
  readonly status: "published"
  readonly published_at: string
}

export type LegacySettings = {
  readonly docs_nav: readonly LegacyShownDocsNavEntry[]
  readonly shared_header: {
    readonly logo: string | null
    readonly links: readonly ({
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
    })[]
  }
  readonly shared_footer: {
    readonly links: readonly ({
      readonly title: string
      readonly links: readonly ({
        readonly label: string
        readonly href: string
        readonly external?: boolean | undefined
      })[]
    } | {
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
    })[]
    readonly copyright: string
  }
  readonly branding: {
    readonly theme: string
    readonly [field: string]: unknown
  }
  readonly site_routes: Readonly<Record<string, string>>
  readonly data_mode: {
    readonly enabled: boolean
    /** Always null: the key is shown only in the answer that creates it. */
    readonly content_key: null
  }
}

export type LegacyShownDocsNavEntry = {
  readonly title: string
  readonly slug?: string | undefined
  readonly badge?: string | undefined
  readonly icon?: string | undefined
  readonly children?: readonly LegacyShownDocsNavEntry[] | undefined
}

export type LegacyUnpublishedPage = {
  readonly page_id: string
  readonly status: "unpublished"
}

export type LegacyUpdateAsset = {
  /** Content shows the asset by it: `/media/{name}`. Unique in the project, and normalised (NFC). */
  readonly name?: string | undefined
  /** What a picture shows, for people who do not see it. Pages use it where their content has none. */
  readonly alt?: string | undefined
  /** Pages use it where their content has none. */
  readonly title?: string | undefined
  /** The part of a picture that crops keep, from the left and from the top; null for the middle. */
  readonly focus?: {
    readonly x: number
    readonly y: number
  } | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly project_id?: unknown
  /** Ignored. */
  readonly kind?: unknown
  /** Ignored. */
  readonly content_type?: unknown
  /** Ignored. */
  readonly bytes?: unknown
  /** Ignored. */
  readonly digest?: unknown
  /** Ignored. */
  readonly width?: unknown
  /** Ignored. */
  readonly height?: unknown
  /** Ignored. */
  readonly animated?: unknown
  /** Ignored. */
  readonly thumbhash?: unknown
  /** Ignored. */
  readonly url?: unknown
  /** Ignored. */
  readonly variants?: unknown
  /** Ignored. */
  readonly status?: unknown
  /** Ignored. */
  readonly failure?: unknown
  /** Ignored. */
  readonly used_by?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
}

export type LegacyUpdatePage = {
  readonly page_name?: string | undefined
  /** Stored in lower case; unique within project and subroute. */
  readonly slug?: string | undefined
  /** Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it. */
  readonly subroute?: string | undefined
  /** `post` is `article`, `doc` is `docs`. */
  readonly type?: 'page' | 'article' | 'docs' | 'item' | 'post' | 'doc' | undefined
  readonly markdown_content?: string | undefined
  /** Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces the stored value. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** The same field as `page_name`. */
  readonly title?: string | undefined
}

export type LegacyUpdateProject = {
  readonly name?: string | undefined
  readonly context?: string | undefined
  readonly settings?: {
    readonly custom_domain?: string | null | undefined
    readonly [field: string]: unknown
  } | undefined
}

export type LegacyUpdateSettings = {
  readonly docs_nav?: readonly LegacyDocsNavEntry[] | undefined
  readonly shared_header?: {
    /** The URL of a .png, .jpg, .jpeg, .svg file. */
    readonly logo?: string | null | undefined
    readonly links?: readonly ({
      readonly label: string
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
      readonly style?: 'link' | 'button' | undefined
    } | {
      readonly label: string
      readonly links: readonly ({
        readonly label: string
        /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
        readonly description?: string | undefined
      })[]
    })[] | undefined
  } | undefined
  readonly shared_footer?: {
    readonly links?: readonly ({
      readonly title: string
      readonly links: readonly ({
        readonly label: string
        /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
      })[]
    } | {
      readonly label: string
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
    })[] | undefined
    readonly copyright?: string | undefined
  } | undefined
  readonly branding?: Readonly<Record<string, unknown>> | undefined
  readonly site_routes?: Readonly<Record<string, unknown>> | undefined
}

/** The new value of each key in the body. */
export type LegacyUpdatedSettings = {
  readonly docs_nav?: readonly LegacyShownDocsNavEntry[] | undefined
  readonly shared_header?: {
    readonly logo: string | null
    readonly links: readonly ({
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
    })[]
  } | undefined
  readonly shared_footer?: {
    readonly links: readonly ({
      readonly title: string
      readonly links: readonly ({
        readonly label: string
        readonly href: string
        readonly external?: boolean | undefined
      })[]
    } | {
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
    })[]
    readonly copyright: string
  } | undefined
  readonly branding?: {
    readonly theme: string
    readonly [field: string]: unknown
  } | undefined
  readonly site_routes?: Readonly<Record<string, string>> | undefined
}

export type LegacyUser = {
  readonly id: string
  readonly email: string
  readonly api_key_id: string
  readonly project_scope: string | null
}

export type LivePageEvent = {
  readonly project_id: string
  readonly page_id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly page_type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived' | 'deleted'
  /** The absolute URL that the page has, had or would have. */
  readonly url: string
  readonly published_at: string
  readonly release_id: string
}

export type Member = {
  readonly id: string
  /** In lower case: the invited address, and then that of the person who accepted. */
  readonly email: string
  readonly role: 'owner' | 'editor' | 'author' | 'viewer'
  /** `active` once the person has accepted. Only then the member has the rights of the role. */
  readonly state: 'invited' | 'active' | 'declined' | 'expired'
  /** Time of the last invitation; null without one. */
  readonly invited_at: string | null
  /** When the invitation ends; null once it was accepted. */
  readonly expires_at: string | null
  /** Who made the person a member: an owner, or a sign-in provider by its groups. */
  readonly source: 'hand' | 'provider'
  readonly mail: {
    /** Status of the last mail of the invitation. */
    readonly status: 'none' | 'queued' | 'sent' | 'failed'
    /** Since when; null for none. */
    readonly at: string | null
    /** Why it failed: the mail server refused the recipient or the mail for good, could not be reached, or went on refusing it for a day. Null otherwise. */
    readonly problem: 'address_refused' | 'content_refused' | 'server_unreachable' | 'gave_up' | null
  }
  readonly created_at: string
  readonly updated_at: string
}

export type MissingDigests = {
  readonly digests: readonly string[]
}

export type Offer = {
  readonly id: string
  /** `membership`: to work on the project. `transfer`: to have it in the own account. */
  readonly kind: 'membership' | 'transfer'
  readonly project: {
    readonly id: string
    readonly name: string
  }
  /** In the project, once it is accepted. */
  readonly role: 'owner' | 'editor' | 'author' | 'viewer'
  /** Address of the person who offers it. */
  readonly from: string | null
  readonly expires_at: string
}

export type OfferProject = {
  /** The address to offer the project to. Case is ignored. */
  readonly email: string
}

export type OfferedProject = {
  /** In lower case. */
  readonly to: string
  readonly expires_at: string
}

export type Page = {
  readonly id: string
  readonly project_id: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived'
  /** The public path of the page. */
  readonly url: string
  readonly description: string
  readonly og_image_url: string | null
  readonly meta: {
    readonly title: string | null
    readonly description: string | null
    readonly keywords: string | null
    readonly robots: string | null
  }
  /** Sections of a `page`, fields of an `item`; `layout` chooses a layout of the theme. Templates read all of it as `it.page.config`. */
  readonly config: Readonly<Record<string, unknown>>
  readonly sections_count: number
  /** Number of visible words without the title. */
  readonly word_count: number
  /** Time of the last publish; an unpublish does not clear it. */
  readonly published_at: string | null
  /** When the page is to be published by its schedule; null without one. */
  readonly scheduled_at: string | null
  /** Whether the content differs from the live version; true for a page that is not live. */
  readonly has_unpublished_changes: boolean
  /** Reasons why publishing the live page again would change it; empty when it would not. */
  readonly stale: readonly ('content' | 'settings' | 'theme' | 'nav' | 'collection' | 'hosting' | 'media')[]
  /** The names of the tags of the page. */
  readonly tags: readonly string[]
  /** The code of the language that the page states; null for that of its path. */
  readonly locale: string | null
  /** What its translations share, if the page states it; null for its path. */
  readonly translation_key: string | null
  /** The date of an `article`, with the offset it was written with. */
  readonly publish_date?: string | null | undefined
  /** The author of an `article`. */
  readonly author?: {
    readonly name: string
    readonly avatar: string | null
    readonly bio?: string | undefined
    readonly url?: string | undefined
  } | null | undefined
  /** The id in feeds that an `article` states; null for that of its first publish. */
  readonly feed_guid?: string | null | undefined
  /** The id that feeds have of an `article`, which no move, domain or export changes; null before its first publish, where it states none. */
  readonly feed_id?: string | null | undefined
  /** Position of a `docs` page among its siblings. */
  readonly nav_order?: number | undefined
  /** The parent of a `docs` page; null at the top of the tree. */
  readonly parent_page?: string | null | undefined
  readonly created_at: string
  /** Time of the last edit. */
  readonly updated_at: string
  /** The file of a content folder that it was last pushed from; null for none. */
  readonly source: {
    readonly folder: string
    readonly path: string
    /** SHA-256 of the fields as canonical JSON (RFC 8785), or of the bytes of a file. */
    readonly digest: string
    /** The first 16 hex digits of the digest of each field that was pushed. Empty for a file. */
    readonly fields: Readonly<Record<string, string>>
    /** The commit of the folder; null without Git. */
    readonly revision: string | null
    readonly pushed_at: string
  } | null
  readonly page_name: string
  readonly markdown_content?: string | null | undefined
}

export type PageItem = {
  readonly id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived'
  /** The public path of the page. */
  readonly url: string
  readonly meta: {
    readonly title: string | null
    readonly description: string | null
    readonly image: string | null
  }
  /** The names of the tags of the page. */
  readonly tags: readonly string[]
  readonly sections_count: number
  /** Number of visible words without the title. */
  readonly word_count: number
  /** When the page is to be published by its schedule; null without one. */
  readonly scheduled_at: string | null
  /** Whether the content differs from the live version; true for a page that is not live. */
  readonly has_unpublished_changes: boolean
  /** Reasons why publishing the live page again would change it; empty when it would not. */
  readonly stale: readonly ('content' | 'settings' | 'theme' | 'nav' | 'collection' | 'hosting' | 'media')[]
  readonly created_at: string
  readonly updated_at: string
  /** With `include_content=true`. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** With `include_content=true`. */
  readonly markdown_content?: string | null | undefined
}

export type PageRef = {
  readonly pageId?: string | undefined
  /** The same field as `pageId`. */
  readonly page_id?: string | undefined
} & ({ readonly pageId: unknown } | { readonly page_id: unknown })

export type PendingPageRef = {
  readonly page_id: string
  readonly status: "pending"
  readonly job_id: string
}

export type PreviewLink = {
  readonly url: string
  readonly token: string
  readonly expires_at: string
}

export type Problem = {
  /** The URL of a page that explains the error. */
  readonly type: string
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  readonly detail: string
  readonly name: 'missing_api_key' | 'unauthorized' | 'invalid_api_key' | 'forbidden' | 'project_scope_violation' | 'not_found' | 'method_not_allowed' | 'not_published' | 'already_enabled' | 'not_enabled' | 'validation_error' | 'invalid_request' | 'missing_required_field' | 'conflict' | 'precondition_failed' | 'payload_too_large' | 'rate_limit_exceeded' | 'internal_error' | 'service_unavailable'
  /** The `X-Request-Id` of the answer. */
  readonly request_id: string
  /** All invalid fields, up to 100. Empty when the error is about none. */
  readonly errors: readonly FieldError[]
  /** For 429: seconds to wait. */
  readonly retry_after?: number | undefined
  /** For 429: number of requests that the window allows. */
  readonly limit?: number | undefined
  /** Only with 429: the exceeded window. `account` is the budget of all keys and sessions of the user. */
  readonly window?: 'burst' | 'minute' | 'hour' | 'month' | 'endpoint' | 'account' | undefined
}

export type Project = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly domain: string | null
  readonly status: 'active' | 'archived' | 'suspended'
  readonly hosting_mode: 'full_host' | 'rewrite' | 'data_mode'
  readonly page_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly settings: EmbeddedSettings
  readonly hosting: Hosting
}

export type ProjectItem = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly domain: string | null
  readonly status: 'active' | 'archived' | 'suspended'
  readonly hosting_mode: 'full_host' | 'rewrite' | 'data_mode'
  readonly page_count: number
  readonly created_at: string
  readonly updated_at: string
}

export type ProjectWithContents = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly domain: string | null
  readonly status: 'active' | 'archived' | 'suspended'
  readonly hosting_mode: 'full_host' | 'rewrite' | 'data_mode'
  readonly page_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly settings: EmbeddedSettings
  readonly hosting: Hosting
  /** With `include=pages`: the newest pages, newest first. */
  readonly pages?: readonly PageItem[] | undefined
  /** With `include=stats`. */
  readonly stats?: {
    readonly pages: {
      readonly total: number
      readonly draft: number
      readonly published: number
      readonly archived: number
    }
    readonly by_type: {
      readonly page: number
      readonly article: number
      readonly docs: number
      readonly item: number
    }
    readonly word_count: number
    readonly last_published_at: string | null
  } | undefined
}

export type PublishPage = {
  /** True: refuses a page that would go live with a warning. */
  readonly strict?: boolean | undefined
  /** Publishes the page at this time, as it is then: a time with its zone (`Z` or an offset), or a date, which is midnight UTC. In the future, at most 100 years ahead. Replaces an earlier schedule; null cancels it. */
  readonly publish_at?: string | null | undefined
}

export type PublishPages = {
  /** `all`: all live pages; `stale`: live pages that another publish would change; or a list of page ids, which may include drafts and archived pages. */
  readonly pages: 'all' | 'stale' | readonly string[]
  /** True: refuses pages that would go live with a warning. */
  readonly strict?: boolean | undefined
}

export type PublishedPage = {
  readonly id: string
  readonly status: "published"
  readonly published_at: string
  /** The public URL of the page. */
  readonly url: string
  readonly release_id: string
  /** Present when the same content was already live. */
  readonly changed?: false | undefined
  /** Warnings about the page that went live. */
  readonly warnings?: readonly ({
    /** A stable name for the kind of warning. Absent from warnings recorded by versions without codes. */
    readonly code?: string | undefined
    /** Position in the page, e.g. `config.sections[2]`; null for the whole page. */
    readonly at: string | null
    readonly message: string
  })[] | undefined
  /** With `timings=true`: durations of the phases. Pages of one group share all but `wait_ms` and `total_ms`; the phases are 0 when an earlier request had already published the page. */
  readonly timings?: {
    /** Time in the queue, and all time outside the other phases. */
    readonly wait_ms: number
    /** Checking whether the page may go live and reserving its keys. */
    readonly claim_ms: number
    readonly render_ms: number
    readonly upload_ms: number
    readonly commit_ms: number
    readonly total_ms: number
  } | undefined
}

export type PublishedPageRef = {
  readonly page_id: string
  readonly status: "published"
  readonly published_at: string
}

export type Push = {
  readonly id: string
  readonly project_id: string
  readonly folder: string
  readonly name: string
  /** The commit of the folder; null without Git. */
  readonly revision: string | null
  readonly committed_at: string | null
  readonly state: 'running' | 'done' | 'failed'
  readonly counts: PushCounts
  readonly user_id: string
  readonly started_at: string
  /** A running push that reports nothing until then has ended. */
  readonly expires_at: string
  readonly finished_at: string | null
}

export type PushConflict = {
  /** The id, with or without `page_`. */
  readonly page_id: string
  /** The file, relative to the folder. */
  readonly path: string
  /** Digests of the differing fields in the file; null for a field without a value there. */
  readonly fields: Readonly<Record<string, string | null>>
  /** Values of these fields for `updatePage`; null when they are too large. */
  readonly values: Readonly<Record<string, unknown>> | null
}

export type PushCounts = {
  readonly created?: number | undefined
  readonly updated?: number | undefined
  readonly unchanged?: number | undefined
  readonly kept?: number | undefined
  readonly conflicts?: number | undefined
  readonly removed?: number | undefined
  readonly published?: number | undefined
  readonly scheduled?: number | undefined
  readonly left_over?: number | undefined
}

export type PushEvent = {
  readonly project_id: string
  readonly push_id: string
  readonly revision: string | null
  readonly counts: PushCounts
}

/** What only pages have is null in others. */
export type PushedRecord = {
  readonly path: string
  readonly record: 'page' | 'asset' | 'settings'
  readonly id: string
  /** Of what was pushed; null for settings. */
  readonly digest: string | null
  /** The first 16 hex digits of the digest of each field that was pushed. Empty for a file. */
  readonly fields: Readonly<Record<string, string>>
  /** Of the values that are stored now; null for settings. */
  readonly current: string | null
  /** Whether a push of the folder created the record. */
  readonly created: boolean
  /** For `If-Match`: `"{version}-"`. Null for settings. */
  readonly version: number | null
  readonly type: 'page' | 'article' | 'docs' | 'item' | null
  readonly status: 'draft' | 'published' | 'archived' | null
  readonly url: string | null
  readonly scheduled_at: string | null
  readonly has_unpublished_changes: boolean | null
  readonly stale: readonly ('content' | 'settings' | 'theme' | 'nav' | 'collection' | 'hosting' | 'media')[] | null
}

export type PutRedirects = {
  readonly items: readonly {
    /** A path of the site that no page has, such as `/old/page`, `/old/page.html` or `/index.xml`. */
    readonly from: string
    /** The id of a page, the path of a page, list, feed or file of the site, also with `#heading`, or an `https:` URL. Patterns are not possible. */
    readonly to: string
  }[]
}

export type PutRedirectsResult = {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly items: readonly ({
    readonly index: number
    /** 201, 200, or that of the error. */
    readonly statusCode: number
    readonly id: string | null
    readonly error: {
      readonly name: string
      readonly message: string
    } | null
  })[]
}

export type Redirect = {
  /** The id of the redirect. It is null for `stated`. */
  readonly id: string | null
  readonly from: string
  /** A path of the site or a URL. For a page, the path of the page; the id of a page that was deleted. */
  readonly to: string
  /** `project`: of the project. `stated`: a page names it in `redirect_from` of its `config` or front matter. `former`: a path that a page had before it moved. */
  readonly kind: 'project' | 'stated' | 'former'
  /** The kind of its target. */
  readonly target: 'page' | 'list' | 'file' | 'feed' | 'url'
  /** The page that it leads to. It is null for other targets. */
  readonly page_id: string | null
  /** The heading that it leads to, without `#`. */
  readonly fragment: string | null
  /** Whether the site serves it now. */
  readonly live: boolean
  /** True if it belongs to the project and the site lacks its target. */
  readonly dead: boolean
  /** Creation time of the redirect. For `former`, the time of the move. It is null for `stated`. */
  readonly created_at: string | null
}

export type Release = {
  readonly id: string
  /** `refresh`: the service added smaller pictures that came after the publish; the text is that of the release before. */
  readonly op: 'publish' | 'rollback' | 'refresh' | 'unpublish' | 'delete'
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed'
  /** The title of the page in this release. */
  readonly title: string
  /** The path of the page in this release. */
  readonly url: string
  /** For a rollback: the release that it restored. For a refresh: the one before. */
  readonly restores: string | null
  /** Reason of the failure; null without one. */
  readonly error: string | null
  readonly created_at: string
  readonly finished_at: string | null
  /** Whether this release is live now. */
  readonly current: boolean
}

export type ReportPush = {
  readonly state: 'running' | 'done' | 'failed'
  /** Numbers of pages so far. */
  readonly counts?: {
    readonly created?: number | undefined
    readonly updated?: number | undefined
    readonly unchanged?: number | undefined
    readonly kept?: number | undefined
    readonly conflicts?: number | undefined
    readonly removed?: number | undefined
    readonly published?: number | undefined
    readonly scheduled?: number | undefined
    readonly left_over?: number | undefined
  } | undefined
  /** With `done`: pages with edits both in their files and on the server. The push did not change them. The list replaces that of the previous push of the folder. */
  readonly conflicts?: readonly PushConflict[] | undefined
}

export type RollBackPage = {
  /** A release of this page that went live, with or without `rel_`. */
  readonly release_id: string
}

export type RotateKey = {
  /** How many hours the secret before is accepted too. Secrets of earlier rotations are accepted as long as was said then; `0` ends all of them at once. */
  readonly hours?: number | undefined
}

export type ScheduledPublish = {
  readonly page_id: string
  readonly publish_at: string
  /** Whether a warning prevents the publish. */
  readonly strict: boolean
  readonly job_id: string
}

export type Settings = {
  readonly project_id: string
  /** The theme of the site: `default`, `dark`, `minimal`, or a custom one. */
  readonly theme: string
  /** The icon in the browser tab: the URL of a .ico, .png or .svg file. */
  readonly favicon_url: string | null
  /** The picture in the header of each page: the URL of a .png, .jpg, .jpeg or .svg file. */
  readonly logo_url: string | null
  /** The picture of link previews for pages without one of their own. */
  readonly og_image_url: string | null
  /** The name of the site in its header, feeds and link previews; null for the name of the project. */
  readonly site_name: string | null
  /** Whether each page without a picture for link previews has one that is drawn of its title, the name of the site and its colour (`pages`), or none (`none`). */
  readonly social_cards: string
  /** Whether agents may search and read the published site at `/mcp`, over the Model Context Protocol and without a key (`read`), or not (`none`). A change takes effect at once. A site in Data Mode has no `/mcp`. */
  readonly mcp: string
  /** The title for search engines on pages without one of their own. */
  readonly meta_title: string | null
  /** The description for search engines on pages without one of their own. */
  readonly meta_description: string | null
  /** A measurement id of Google Analytics, e.g. `G-ABC1234567`. */
  readonly google_analytics_id: string | null
  /** CSS that follows the CSS of the theme: at most 51,200 bytes, well-formed, nested at most 8 levels deep, without `@import`. URLs must be `https`, relative, or images and fonts in `data:` URLs. An error names its line and column. */
  readonly custom_css: string | null
  /** HTML for the end of each `<head>`, at most 51,200 bytes. It is not changed or sanitised. */
  readonly custom_head_html: string | null
  /** A text in the footer of each page. */
  readonly footer_text: string | null
  /** A line above the header of each page, which may be a link. An empty `text` shows none. It ends at `until`. */
  readonly announcement: {
    readonly text: string
    readonly href?: string | undefined
    readonly until?: string | undefined
  }
  /** The links in the header of each page, at most 50. A link may have an `icon` and be a `button` (`style`); an entry with `links` is a menu, whose links may have a `description`. */
  readonly nav_links: readonly ({
    readonly label: string
    readonly links: readonly ({
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
      readonly description?: string | undefined
    })[]
  } | {
    readonly label: string
    readonly href: string
    readonly external?: boolean | undefined
    readonly icon?: string | undefined
    readonly style?: string | undefined
  })[]
  /** The sidebar of the docs: at most 2,000 entries, nested at most 8 levels deep. Empty: the sidebar follows from the pages. */
  readonly docs_nav: readonly ShownDocsNavEntry[]
  /** The footer of each page: links or groups of links, a copyright line, the profiles of the owner on other services (`social`), whose icons and names follow from their addresses, and links next to the copyright line (`legal`). */
  readonly shared_footer: {
    readonly links: readonly ({
      readonly title: string
      readonly links: readonly ({
        readonly label: string
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
      })[]
    } | {
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
    })[]
    readonly copyright: string
    readonly social?: readonly ({
      readonly href: string
      readonly label?: string | undefined
      readonly icon?: string | undefined
    })[] | undefined
    readonly legal?: readonly ({
      readonly label: string
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
    })[] | undefined
  }
  /** `primary_color`, `font`, and `lang`, the language of pages without one of their own; at most 16 KiB. Other keys are stored and have no effect. */
  readonly branding: Readonly<Record<string, unknown>>
  /** Maps a subroute to the path that its pages are served under instead, e.g. `docs` to `/help`; `/` drops the subroute. At most 500 entries. */
  readonly site_routes: Readonly<Record<string, string>>
  /** Values by name that templates of a theme read as `it.data` on every page: at most 256 KiB as JSON, nested at most 16 levels deep. An object `authors` describes authors by their short names, which articles name: `name`, `bio`, `avatar`, `url`, and `links` of `label` and `href`. An object `glossary` explains `terms`. A change makes every live page stale. */
  readonly data: Readonly<Record<string, unknown>>
  /** The languages of the site, at most 40. `code` is a language tag. `label` is its name in links. `subroute` is the start of the paths of its pages. `home` is the target of its logo and of the language switch; by default its front page. `dir` is the direction of writing; by default that of the code. The language without a subroute, or else the first one, is the default. Empty: the site has one language, `branding.lang`. */
  readonly locales: readonly ({
    readonly code: string
    readonly label: string
    readonly dir: string
    readonly subroute: string
    readonly home?: string | undefined
  })[]
  /** Settings of single languages, by codes of `locales`, out of `site_name`, `meta_title`, `meta_description`, `nav_links`, `shared_footer`, `footer_text`, `announcement`, `docs_nav`. A page of a language has a setting from here, or else from the site. At most 256 KiB as JSON. */
  readonly by_locale: Readonly<Record<string, {
      /** The name of the site in its header, feeds and link previews; null for the name of the project. */
      readonly site_name?: string | null | undefined
      /** The title for search engines on pages without one of their own. */
      readonly meta_title?: string | null | undefined
      /** The description for search engines on pages without one of their own. */
      readonly meta_description?: string | null | undefined
      /** The links in the header of each page, at most 50. A link may have an `icon` and be a `button` (`style`); an entry with `links` is a menu, whose links may have a `description`. */
      readonly nav_links?: readonly ({
        readonly label: string
        readonly links: readonly ({
          readonly label: string
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
          readonly description?: string | undefined
        })[]
      } | {
        readonly label: string
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
        readonly style?: string | undefined
      })[] | undefined
      /** The footer of each page: links or groups of links, a copyright line, the profiles of the owner on other services (`social`), whose icons and names follow from their addresses, and links next to the copyright line (`legal`). */
      readonly shared_footer?: {
        readonly links: readonly ({
          readonly title: string
          readonly links: readonly ({
            readonly label: string
            readonly href: string
            readonly external?: boolean | undefined
            readonly icon?: string | undefined
          })[]
        } | {
          readonly label: string
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
        })[]
        readonly copyright: string
        readonly social?: readonly ({
          readonly href: string
          readonly label?: string | undefined
          readonly icon?: string | undefined
        })[] | undefined
        readonly legal?: readonly ({
          readonly label: string
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
        })[] | undefined
      } | undefined
      /** A text in the footer of each page. */
      readonly footer_text?: string | null | undefined
      /** A line above the header of each page, which may be a link. An empty `text` shows none. It ends at `until`. */
      readonly announcement?: {
        readonly text: string
        readonly href?: string | undefined
        readonly until?: string | undefined
      } | undefined
      /** The sidebar of the docs: at most 2,000 entries, nested at most 8 levels deep. Empty: the sidebar follows from the pages. */
      readonly docs_nav?: readonly ShownDocsNavEntry[] | undefined
    }>>
  /** The versions of what the site documents, at most 40: `name` is for addresses of tools and search, `label` is what a switch shows (the name by default), `subroute` the start of the paths of its pages below those of their language, and `latest` is true for one. Pages of the others show a banner, are left to no search engine, and name the page of the latest version as canonical where there is one. */
  readonly versions: readonly {
    readonly name: string
    readonly label: string
    readonly subroute: string
    readonly latest: boolean
  }[]
  /** Texts by name that pages show where their Markdown, title or description has `{{ name }}`: at most 100, of up to 500 characters each. Code and names that are not declared stay as they are written. */
  readonly variables: Readonly<Record<string, string>>
  /** Whether the server counts how often pages are read (`count`) or not (`none`). Nothing about visitors is stored. Pages count readers from their next publish on. */
  readonly visits: string
  /** Whether the service adds smaller pictures to live pages by itself when they come after the publish (`auto`), or the pages stay stale until they are published again (`manual`). It brings no edit along. */
  readonly media_refresh: string
  /** The logo on dark pages, as the URL of a file; null for the same as on light ones. */
  readonly logo_dark_url: string | null
  /** The id of the feed of the site, such as that of a former site; the feeds of languages, blogs, authors and tags add their folder. Null for one that the first publish gives it for good. */
  readonly feed_guid: string | null
  readonly custom_domain: string | null
  readonly data_mode: {
    readonly enabled: boolean
    /** Base URL of the encrypted files; null while Data Mode is off. */
    readonly cdn_base: string | null
    /** Number of live pages that were published before Data Mode was on and are not encrypted until they are published again; absent while it is off. */
    readonly plaintext_pages?: number | undefined
  }
  readonly hosting_mode: 'fullhost' | 'rewrite' | 'data'
}

export type ShownDocsNavEntry = {
  readonly title: string
  readonly slug?: string | undefined
  readonly badge?: string | undefined
  readonly icon?: string | undefined
  readonly children?: readonly ShownDocsNavEntry[] | undefined
}

export type StartPush = {
  /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
  readonly folder: string
  /** The name of the site in the folder. */
  readonly name: string
  /** The commit of the folder; null without Git. */
  readonly revision?: string | null | undefined
  /** When that commit was made. */
  readonly committed_at?: string | null | undefined
}

export type StartedPush = {
  readonly id: string
  readonly expires_at: string
  /** The push of the folder before this one; null for the first one. */
  readonly previous: {
    readonly name: string
    /** The commit of the folder; null without Git. */
    readonly revision: string | null
    readonly committed_at: string | null
    readonly finished_at: string | null
  } | null
}

export type StoredPageEvent = {
  readonly project_id: string
  readonly page_id: string
  readonly page_name: string
  readonly slug: string
  readonly subroute: string
  readonly page_type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived' | 'deleted'
  /** The absolute URL that the page has, had or would have. */
  readonly url: string
  /** Time of the last publish; null when the page was never published. */
  readonly published_at: string | null
  readonly release_id: null
}

export type UnpublishedPage = {
  readonly id: string
  readonly status: "draft"
  readonly unpublished_at: string
}

export type UnpublishedPageRef = {
  readonly page_id: string
  readonly status: "unpublished"
}

export type UnscheduledPage = {
  readonly id: string
  readonly status: 'draft' | 'published' | 'archived'
  readonly publish_at: null
}

export type UpdateAsset = {
  /** Content shows the asset by it: `/media/{name}`. Unique in the project, and normalised (NFC). */
  readonly name?: string | undefined
  /** What a picture shows, for people who do not see it. Pages use it where their content has none. */
  readonly alt?: string | undefined
  /** Pages use it where their content has none. */
  readonly title?: string | undefined
  /** The part of a picture that crops keep, from the left and from the top; null for the middle. */
  readonly focus?: {
    readonly x: number
    readonly y: number
  } | null | undefined
  /** The file of a content folder that the record is pushed from. `quoin push` sends it; a body with it alone records the stored values as pushed. Ignored as a GET answers it. */
  readonly source?: {
    /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
    readonly folder: string
    /** The file, relative to the folder. */
    readonly path: string
    /** Whether a push of the folder created the record, where that is not known from its creation. */
    readonly created?: boolean | undefined
  } | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly project_id?: unknown
  /** Ignored. */
  readonly kind?: unknown
  /** Ignored. */
  readonly content_type?: unknown
  /** Ignored. */
  readonly bytes?: unknown
  /** Ignored. */
  readonly digest?: unknown
  /** Ignored. */
  readonly width?: unknown
  /** Ignored. */
  readonly height?: unknown
  /** Ignored. */
  readonly animated?: unknown
  /** Ignored. */
  readonly thumbhash?: unknown
  /** Ignored. */
  readonly url?: unknown
  /** Ignored. */
  readonly variants?: unknown
  /** Ignored. */
  readonly status?: unknown
  /** Ignored. */
  readonly failure?: unknown
  /** Ignored. */
  readonly used_by?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
}

export type UpdateKey = {
  /** What the key is for. */
  readonly name?: string | undefined
  /** What the key may do, at most what the key of the request may do. */
  readonly permissions?: readonly ('read' | 'write' | 'publish' | 'manage')[] | undefined
  /** When the key ends; null for never. Not later than the end of the key of the request, which is the default. */
  readonly expires_at?: string | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly plan?: unknown
  /** Ignored. */
  readonly revoked_at?: unknown
  /** Ignored. */
  readonly former_until?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly project_scope?: unknown
}

export type UpdateMember = {
  /** `owner`: everything; `editor`: pages, media, publishing and settings; `author`: pages and media; `viewer`: reading. */
  readonly role?: 'owner' | 'editor' | 'author' | 'viewer' | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly state?: unknown
  /** Ignored. */
  readonly invited_at?: unknown
  /** Ignored. */
  readonly expires_at?: unknown
  /** Ignored. */
  readonly source?: unknown
  /** Ignored. */
  readonly mail?: unknown
  /** Ignored. */
  readonly invitation_url?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
  /** Ignored. */
  readonly email?: unknown
}

export type UpdatePage = {
  /** The title of the page. */
  readonly title?: string | undefined
  /** 3 to 100 lower-case letters, digits and hyphens, with the further characters of wide addresses where `hosting.slugs` is `wide`; the stored slug is always accepted. */
  readonly slug?: string | undefined
  /** The segments of the path before the slug: up to 8, joined by `/`, or empty, in the characters of a slug. Stored in lower case, without slashes around it. */
  readonly subroute?: string | undefined
  /** `post` is `article`, `doc` is `docs`. */
  readonly type?: 'page' | 'article' | 'docs' | 'item' | 'post' | 'doc' | undefined
  readonly status?: 'draft' | 'published' | 'archived' | undefined
  /** One or two sentences for search engines, link previews and lists. */
  readonly description?: string | undefined
  /** The picture of link previews of the page. */
  readonly og_image_url?: string | null | undefined
  /** Metadata for search engines. An update merges it with the stored values; null clears one. */
  readonly meta?: {
    readonly title?: string | null | undefined
    readonly description?: string | null | undefined
    readonly keywords?: string | null | undefined
    readonly robots?: string | null | undefined
  } | undefined
  /** Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces the stored value. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly markdown_content?: string | null | undefined
  /** Names of up to 20 tags. Names with one address, such as `Node JS` and `node-js`, are one tag. Each tag of the articles of a blog has a list and a feed at `{blog}/tags/{tag}`. */
  readonly tags?: readonly string[] | undefined
  /** The code of the language of the page, one of the setting `locales`. By default that of the longest subroute of a locale which the path starts with. */
  readonly locale?: string | null | undefined
  /** Pages in different languages with one key are translations of each other. By default the path without the subroute of its locale. */
  readonly translation_key?: string | null | undefined
  /** The date of an `article` in ISO 8601, kept with its offset: readers see the day as written. A bare date such as `2026-03-01` is midnight UTC, and a time without a zone is in UTC. */
  readonly publish_date?: string | null | undefined
  /** The author of an `article`: a name, or an object with `name`, `avatar`, `bio` and `url`, which a box at its end shows. */
  readonly author?: string | {
    readonly name: string
    /** An http or https URL, or one that starts with `/`. */
    readonly avatar?: string | null | undefined
    readonly bio?: string | undefined
    /** An http or https URL, or one that starts with `/`. */
    readonly url?: string | undefined
  } | null | undefined
  /** The id of an `article` in every feed that has it, such as the one that it had in the feed of a former site; unique in the project. By default an id that the first publish gives it for good. A change of the id shows the article to readers of feeds as a new one. */
  readonly feed_guid?: string | null | undefined
  /** Position of a `docs` page among its siblings; lower comes first. */
  readonly nav_order?: number | undefined
  /** The id of the parent of a `docs` page, in the same project. */
  readonly parent_page?: string | null | undefined
  /** The file of a content folder that the record is pushed from. `quoin push` sends it; a body with it alone records the stored values as pushed. Ignored as a GET answers it. */
  readonly source?: {
    /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
    readonly folder: string
    /** The file, relative to the folder. */
    readonly path: string
    /** Whether a push of the folder created the record, where that is not known from its creation. */
    readonly created?: boolean | undefined
  } | null | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly project_id?: unknown
  /** Ignored. */
  readonly url?: unknown
  /** Ignored. */
  readonly sections_count?: unknown
  /** Ignored. */
  readonly word_count?: unknown
  /** Ignored. */
  readonly feed_id?: unknown
  /** Ignored. */
  readonly published_at?: unknown
  /** Ignored. */
  readonly scheduled_at?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
  /** Ignored. */
  readonly has_unpublished_changes?: unknown
  /** Ignored. */
  readonly stale?: unknown
  /** The same field as `title`. */
  readonly page_name?: string | undefined
}

export type UpdateProject = {
  readonly name?: string | undefined
  readonly domain?: string | null | undefined
  readonly status?: 'active' | 'archived' | undefined
  readonly settings?: {
    /** The theme of the site: `default`, `dark`, `minimal`, or a custom one. */
    readonly theme?: 'dark' | 'default' | 'minimal' | (string & {}) | undefined
    /** The icon in the browser tab: the URL of a .ico, .png or .svg file. */
    readonly favicon?: string | null | undefined
    /** The picture in the header of each page: the URL of a .png, .jpg, .jpeg or .svg file. */
    readonly logo?: string | null | undefined
    /** The picture of link previews for pages without one of their own. */
    readonly social_image?: string | null | undefined
    /** The description for search engines on pages without one of their own. */
    readonly meta_description?: string | null | undefined
    /** A measurement id of Google Analytics, e.g. `G-ABC1234567`. */
    readonly google_analytics?: string | null | undefined
    /** CSS that follows the CSS of the theme: at most 51,200 bytes, well-formed, nested at most 8 levels deep, without `@import`. URLs must be `https`, relative, or images and fonts in `data:` URLs. An error names its line and column. */
    readonly custom_css?: string | null | undefined
  } | undefined
  readonly hosting?: {
    readonly mode?: 'full_host' | 'rewrite' | 'data_mode' | undefined
    readonly subdomain?: string | null | undefined
    readonly custom_domain?: string | null | undefined
    readonly ssl_enabled?: boolean | undefined
    readonly cdn_enabled?: boolean | undefined
    readonly base_path?: string | undefined
    readonly manifest?: 'full' | 'minimal' | undefined
    /** The characters of addresses: `standard` for ASCII letters, digits and hyphens, `wide` for letters and digits of any script, `_` and `.` as well. `wide` cannot be left while a page needs it. */
    readonly slugs?: 'standard' | 'wide' | undefined
    /** Ignored. */
    readonly domain_status?: unknown
    /** Ignored. */
    readonly domain_challenge?: unknown
  } | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly slug?: unknown
  /** Ignored. */
  readonly hosting_mode?: unknown
  /** Ignored. */
  readonly page_count?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly updated_at?: unknown
  /** Ignored. */
  readonly pages?: unknown
  /** Ignored. */
  readonly stats?: unknown
}

export type UpdateRedirect = {
  /** A path of the site that no page has, such as `/old/page`, `/old/page.html` or `/index.xml`. */
  readonly from?: string | undefined
  /** The id of a page, the path of a page, list, feed or file of the site, also with `#heading`, or an `https:` URL. Patterns are not possible. */
  readonly to?: string | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly kind?: unknown
  /** Ignored. */
  readonly target?: unknown
  /** Ignored. */
  readonly fragment?: unknown
  /** Ignored. */
  readonly live?: unknown
  /** Ignored. */
  readonly dead?: unknown
  /** Ignored. */
  readonly created_at?: unknown
  /** Ignored. */
  readonly page_id?: unknown
}

export type UpdateSettings = {
  /** The theme of the site: `default`, `dark`, `minimal`, or a custom one. */
  readonly theme?: 'dark' | 'default' | 'minimal' | (string & {}) | undefined
  /** The icon in the browser tab: the URL of a .ico, .png or .svg file. */
  readonly favicon_url?: string | null | undefined
  /** The picture in the header of each page: the URL of a .png, .jpg, .jpeg or .svg file. */
  readonly logo_url?: string | null | undefined
  /** The picture of link previews for pages without one of their own. */
  readonly og_image_url?: string | null | undefined
  /** The name of the site in its header, feeds and link previews; null for the name of the project. */
  readonly site_name?: string | null | undefined
  /** Whether each page without a picture for link previews has one that is drawn of its title, the name of the site and its colour (`pages`), or none (`none`). */
  readonly social_cards?: 'pages' | 'none' | undefined
  /** Whether agents may search and read the published site at `/mcp`, over the Model Context Protocol and without a key (`read`), or not (`none`). A change takes effect at once. A site in Data Mode has no `/mcp`. */
  readonly mcp?: 'read' | 'none' | undefined
  /** The title for search engines on pages without one of their own. */
  readonly meta_title?: string | null | undefined
  /** The description for search engines on pages without one of their own. */
  readonly meta_description?: string | null | undefined
  /** A measurement id of Google Analytics, e.g. `G-ABC1234567`. */
  readonly google_analytics_id?: string | null | undefined
  /** CSS that follows the CSS of the theme: at most 51,200 bytes, well-formed, nested at most 8 levels deep, without `@import`. URLs must be `https`, relative, or images and fonts in `data:` URLs. An error names its line and column. */
  readonly custom_css?: string | null | undefined
  /** HTML for the end of each `<head>`, at most 51,200 bytes. It is not changed or sanitised. */
  readonly custom_head_html?: string | null | undefined
  /** A text in the footer of each page. */
  readonly footer_text?: string | null | undefined
  /** A line above the header of each page, which may be a link. An empty `text` shows none. It ends at `until`. */
  readonly announcement?: {
    readonly text: string
    /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
    readonly href?: string | undefined
    /** ISO 8601 with a zone; a bare date is midnight UTC. */
    readonly until?: string | undefined
  } | undefined
  /** The links in the header of each page, at most 50. A link may have an `icon` and be a `button` (`style`); an entry with `links` is a menu, whose links may have a `description`. */
  readonly nav_links?: readonly ({
    readonly label: string
    /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
    readonly href: string
    readonly external?: boolean | undefined
    readonly icon?: string | undefined
    readonly style?: 'link' | 'button' | undefined
  } | {
    readonly label: string
    readonly links: readonly ({
      readonly label: string
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
      readonly description?: string | undefined
    })[]
  })[] | undefined
  /** The sidebar of the docs: at most 2,000 entries, nested at most 8 levels deep. Empty: the sidebar follows from the pages. */
  readonly docs_nav?: readonly DocsNavEntry[] | undefined
  /** The footer of each page: links or groups of links, a copyright line, the profiles of the owner on other services (`social`), whose icons and names follow from their addresses, and links next to the copyright line (`legal`). */
  readonly shared_footer?: {
    readonly links?: readonly ({
      readonly title: string
      readonly links: readonly ({
        readonly label: string
        /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
      })[]
    } | {
      readonly label: string
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
    })[] | undefined
    readonly copyright?: string | undefined
    readonly social?: readonly ({
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly label?: string | undefined
      readonly icon?: string | undefined
    })[] | undefined
    readonly legal?: readonly ({
      readonly label: string
      /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
      readonly href: string
      readonly external?: boolean | undefined
      readonly icon?: string | undefined
    })[] | undefined
  } | undefined
  /** `primary_color`, `font`, and `lang`, the language of pages without one of their own; at most 16 KiB. Other keys are stored and have no effect. */
  readonly branding?: Readonly<Record<string, unknown>> | undefined
  /** Maps a subroute to the path that its pages are served under instead, e.g. `docs` to `/help`; `/` drops the subroute. At most 500 entries. */
  readonly site_routes?: Readonly<Record<string, string>> | undefined
  /** Values by name that templates of a theme read as `it.data` on every page: at most 256 KiB as JSON, nested at most 16 levels deep. An object `authors` describes authors by their short names, which articles name: `name`, `bio`, `avatar`, `url`, and `links` of `label` and `href`. An object `glossary` explains `terms`. A change makes every live page stale. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** The languages of the site, at most 40. `code` is a language tag. `label` is its name in links. `subroute` is the start of the paths of its pages. `home` is the target of its logo and of the language switch; by default its front page. `dir` is the direction of writing; by default that of the code. The language without a subroute, or else the first one, is the default. Empty: the site has one language, `branding.lang`. */
  readonly locales?: readonly ({
    readonly code: string
    readonly label: string
    readonly dir?: 'ltr' | 'rtl' | undefined
    /** Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it. */
    readonly subroute?: string | undefined
    readonly home?: string | undefined
  })[] | undefined
  /** Settings of single languages, by codes of `locales`, out of `site_name`, `meta_title`, `meta_description`, `nav_links`, `shared_footer`, `footer_text`, `announcement`, `docs_nav`. A page of a language has a setting from here, or else from the site. At most 256 KiB as JSON. */
  readonly by_locale?: Readonly<Record<string, {
      /** The name of the site in its header, feeds and link previews; null for the name of the project. */
      readonly site_name?: string | null | undefined
      /** The title for search engines on pages without one of their own. */
      readonly meta_title?: string | null | undefined
      /** The description for search engines on pages without one of their own. */
      readonly meta_description?: string | null | undefined
      /** The links in the header of each page, at most 50. A link may have an `icon` and be a `button` (`style`); an entry with `links` is a menu, whose links may have a `description`. */
      readonly nav_links?: readonly ({
        readonly label: string
        /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
        readonly href: string
        readonly external?: boolean | undefined
        readonly icon?: string | undefined
        readonly style?: 'link' | 'button' | undefined
      } | {
        readonly label: string
        readonly links: readonly ({
          readonly label: string
          /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
          readonly description?: string | undefined
        })[]
      })[] | undefined
      /** The footer of each page: links or groups of links, a copyright line, the profiles of the owner on other services (`social`), whose icons and names follow from their addresses, and links next to the copyright line (`legal`). */
      readonly shared_footer?: {
        readonly links?: readonly ({
          readonly title: string
          readonly links: readonly ({
            readonly label: string
            /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
            readonly href: string
            readonly external?: boolean | undefined
            readonly icon?: string | undefined
          })[]
        } | {
          readonly label: string
          /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
        })[] | undefined
        readonly copyright?: string | undefined
        readonly social?: readonly ({
          /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
          readonly href: string
          readonly label?: string | undefined
          readonly icon?: string | undefined
        })[] | undefined
        readonly legal?: readonly ({
          readonly label: string
          /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
          readonly href: string
          readonly external?: boolean | undefined
          readonly icon?: string | undefined
        })[] | undefined
      } | undefined
      /** A text in the footer of each page. */
      readonly footer_text?: string | null | undefined
      /** A line above the header of each page, which may be a link. An empty `text` shows none. It ends at `until`. */
      readonly announcement?: {
        readonly text: string
        /** An http, https, mailto or tel URL, or one that starts with `/` or `#`. */
        readonly href?: string | undefined
        /** ISO 8601 with a zone; a bare date is midnight UTC. */
        readonly until?: string | undefined
      } | undefined
      /** The sidebar of the docs: at most 2,000 entries, nested at most 8 levels deep. Empty: the sidebar follows from the pages. */
      readonly docs_nav?: readonly DocsNavEntry[] | undefined
    }>> | undefined
  /** The versions of what the site documents, at most 40: `name` is for addresses of tools and search, `label` is what a switch shows (the name by default), `subroute` the start of the paths of its pages below those of their language, and `latest` is true for one. Pages of the others show a banner, are left to no search engine, and name the page of the latest version as canonical where there is one. */
  readonly versions?: readonly ({
    readonly name: string
    /** Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it. */
    readonly subroute?: string | undefined
    readonly label?: string | undefined
    readonly latest?: boolean | undefined
  })[] | undefined
  /** Texts by name that pages show where their Markdown, title or description has `{{ name }}`: at most 100, of up to 500 characters each. Code and names that are not declared stay as they are written. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Whether the server counts how often pages are read (`count`) or not (`none`). Nothing about visitors is stored. Pages count readers from their next publish on. */
  readonly visits?: 'none' | 'count' | undefined
  /** Whether the service adds smaller pictures to live pages by itself when they come after the publish (`auto`), or the pages stay stale until they are published again (`manual`). It brings no edit along. */
  readonly media_refresh?: 'auto' | 'manual' | undefined
  /** The logo on dark pages, as the URL of a file; null for the same as on light ones. */
  readonly logo_dark_url?: string | null | undefined
  /** The id of the feed of the site, such as that of a former site; the feeds of languages, blogs, authors and tags add their folder. Null for one that the first publish gives it for good. */
  readonly feed_guid?: string | null | undefined
  /** The file of a content folder that the record is pushed from. `quoin push` sends it; a body with it alone records the stored values as pushed. Ignored as a GET answers it. */
  readonly source?: {
    /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
    readonly folder: string
    /** The file, relative to the folder. */
    readonly path: string
    /** Whether a push of the folder created the record, where that is not known from its creation. */
    readonly created?: boolean | undefined
  } | null | undefined
  /** Ignored. */
  readonly project_id?: unknown
  /** Ignored. */
  readonly custom_domain?: unknown
  /** Ignored. */
  readonly data_mode?: unknown
  /** Ignored. */
  readonly hosting_mode?: unknown
}

export type UpdateWebhook = {
  /** The URL that receives events: `https`, without user name and password; its host must not resolve to a private or reserved address. */
  readonly url?: string | undefined
  /** The types of events to send. */
  readonly events?: readonly ('page.published' | 'page.unpublished' | 'page.created' | 'page.updated' | 'page.deleted' | 'release.rolled_back' | 'project.pushed')[] | undefined
  /** A note for people; it has no effect. */
  readonly description?: string | undefined
  /** False: nothing is sent, and pending deliveries fail. Setting it to true again clears the failures. */
  readonly active?: boolean | undefined
  /** Length of the window in seconds whose events are sent as one message of type `batch`, with at most 100 events; 0 sends each event in a message of its own. */
  readonly coalesce_seconds?: number | undefined
  /** Ignored. */
  readonly id?: unknown
  /** Ignored. */
  readonly failing_since?: unknown
  /** Ignored. */
  readonly off_reason?: unknown
  /** Ignored. */
  readonly created_at?: unknown
}

/** The updated page, with its title under `title`. */
export type UpdatedPage = {
  readonly id: string
  readonly project_id: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly status: 'draft' | 'published' | 'archived'
  /** The public path of the page. */
  readonly url: string
  readonly description: string
  readonly og_image_url: string | null
  readonly meta: {
    readonly title: string | null
    readonly description: string | null
    readonly keywords: string | null
    readonly robots: string | null
  }
  /** Sections of a `page`, fields of an `item`; `layout` chooses a layout of the theme. Templates read all of it as `it.page.config`. */
  readonly config: Readonly<Record<string, unknown>>
  readonly sections_count: number
  /** Number of visible words without the title. */
  readonly word_count: number
  /** Time of the last publish; an unpublish does not clear it. */
  readonly published_at: string | null
  /** When the page is to be published by its schedule; null without one. */
  readonly scheduled_at: string | null
  /** Whether the content differs from the live version; true for a page that is not live. */
  readonly has_unpublished_changes: boolean
  /** Reasons why publishing the live page again would change it; empty when it would not. */
  readonly stale: readonly ('content' | 'settings' | 'theme' | 'nav' | 'collection' | 'hosting' | 'media')[]
  /** The names of the tags of the page. */
  readonly tags: readonly string[]
  /** The code of the language that the page states; null for that of its path. */
  readonly locale: string | null
  /** What its translations share, if the page states it; null for its path. */
  readonly translation_key: string | null
  /** The date of an `article`, with the offset it was written with. */
  readonly publish_date?: string | null | undefined
  /** The author of an `article`. */
  readonly author?: {
    readonly name: string
    readonly avatar: string | null
    readonly bio?: string | undefined
    readonly url?: string | undefined
  } | null | undefined
  /** The id in feeds that an `article` states; null for that of its first publish. */
  readonly feed_guid?: string | null | undefined
  /** The id that feeds have of an `article`, which no move, domain or export changes; null before its first publish, where it states none. */
  readonly feed_id?: string | null | undefined
  /** Position of a `docs` page among its siblings. */
  readonly nav_order?: number | undefined
  /** The parent of a `docs` page; null at the top of the tree. */
  readonly parent_page?: string | null | undefined
  readonly created_at: string
  /** Time of the last edit. */
  readonly updated_at: string
  /** The file of a content folder that it was last pushed from; null for none. */
  readonly source: {
    readonly folder: string
    readonly path: string
    /** SHA-256 of the fields as canonical JSON (RFC 8785), or of the bytes of a file. */
    readonly digest: string
    /** The first 16 hex digits of the digest of each field that was pushed. Empty for a file. */
    readonly fields: Readonly<Record<string, string>>
    /** The commit of the folder; null without Git. */
    readonly revision: string | null
    readonly pushed_at: string
  } | null
  readonly title: string
  readonly markdown_content: string | null
}

export type UpdatedSettings = {
  readonly project_id: string
  /** The writable fields in the body. */
  readonly updated_fields: readonly string[]
  readonly updated_at: string
}

export type Usage = {
  readonly requests: {
    readonly burst: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "10 s"
    }
    readonly minute: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "60 s"
    }
    readonly hour: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "3600 s"
    }
    readonly month: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "calendar month"
    }
    readonly create_page: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "60 s"
    }
    readonly update_page: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "60 s"
    }
    readonly create_project: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "60 s"
    }
    /** Requests for `/public/*` and `/render/*`, which are counted apart from the others. */
    readonly visits: {
      /** Null without a limit: the requests are not counted then. */
      readonly used: number | null
      /** Null: unlimited. */
      readonly allowed: number | null
      readonly window: "60 s"
    }
  }
  readonly account: {
    readonly projects: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    readonly pages_per_project: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
      /** The project with the most pages; null without any project. */
      readonly project_id: string | null
    }
    /** Bytes of all pages as they are now. */
    readonly draft_bytes: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    /** Bytes that releases store for rollbacks and repairs, compressed. */
    readonly release_bytes: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    /** Bytes of pictures and files as they were uploaded; equal ones of a project count once. */
    readonly media_bytes: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    readonly webhooks: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    readonly members: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
    /** Bulk and scheduled publishes that have not ended. */
    readonly unfinished_jobs: {
      readonly used: number
      /** Null: unlimited. */
      readonly allowed: number | null
      /** Null: stored content counts until it is deleted. */
      readonly window: null
    }
  }
}

export type User = {
  readonly id: string
  readonly email: string
  readonly api_key_id: string
  readonly project_scope: string | null
}

export type VisitedPath = {
  /** Null: those beyond the limit of their day. */
  readonly path: string | null
  readonly people: number
  readonly agents: number
}

export type Visits = {
  /** Whether the project counts visits now. */
  readonly counting: boolean
  readonly from: string
  readonly to: string
  readonly totals: {
    readonly pages: {
      readonly people: number
      readonly agents: number
    }
    readonly not_found: {
      readonly people: number
      readonly agents: number
    }
    readonly searches: number
  }
  /** Reads of pages on each day, in UTC. */
  readonly days: readonly {
    readonly day: string
    readonly people: number
    readonly agents: number
  }[]
  readonly pages: readonly VisitedPath[]
  /** Addresses without a page. */
  readonly not_found: readonly VisitedPath[]
  /** Searches that found nothing, if there were at least 3 for the term. */
  readonly searches: readonly ({
    readonly term: string | null
    readonly count: number
  })[]
}

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly ('page.published' | 'page.unpublished' | 'page.created' | 'page.updated' | 'page.deleted' | 'release.rolled_back' | 'project.pushed')[]
  readonly description: string
  /** Whether events are sent. */
  readonly active: boolean
  readonly coalesce_seconds: number
  /** Time of the first failure after the last success; null when the last attempt succeeded. */
  readonly failing_since: string | null
  /** Why the service switched the webhook off: it answered 410 (`gone`), failed for five days (`failing`), or 50,000 messages were pending (`swamped`). Null when the service did not. */
  readonly off_reason: 'gone' | 'failing' | 'swamped' | null
  readonly created_at: string
}

export type WebhookWithSecret = {
  readonly id: string
  readonly url: string
  readonly events: readonly ('page.published' | 'page.unpublished' | 'page.created' | 'page.updated' | 'page.deleted' | 'release.rolled_back' | 'project.pushed')[]
  readonly description: string
  /** Whether events are sent. */
  readonly active: boolean
  readonly coalesce_seconds: number
  /** Time of the first failure after the last success; null when the last attempt succeeded. */
  readonly failing_since: string | null
  /** Why the service switched the webhook off: it answered 410 (`gone`), failed for five days (`failing`), or 50,000 messages were pending (`swamped`). Null when the service did not. */
  readonly off_reason: 'gone' | 'failing' | 'swamped' | null
  readonly created_at: string
  /** `whsec_` and 32 bytes in base64, to verify messages. Shown in this answer only. */
  readonly secret: string
}

/** Every operation by its method and path: what it takes, and what it answers with. */
export interface Api {
  /** List projects. */
  readonly 'GET /projects': {
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      readonly order?: 'asc' | 'desc' | undefined
      readonly status?: 'active' | 'archived' | 'all' | undefined
      readonly domain?: string | undefined
      /** Only projects that this content folder was pushed to. */
      readonly folder?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_after?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_before?: string | undefined
      readonly sort?: 'created_at' | 'updated_at' | 'name' | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly ProjectItem[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Create a project. */
  readonly 'POST /projects': {
    readonly body: CreateProject
    readonly status: 201
    readonly answer: {
      readonly data: Project
    }
  }
  /** Get a project. */
  readonly 'GET /projects/{id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** `pages`, `stats` or both, joined by a comma. `settings` are always included. */
      readonly include?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: ProjectWithContents
    }
  }
  /** Change a project. */
  readonly 'PUT /projects/{id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: UpdateProject
    readonly status: 200
    readonly answer: {
      readonly data: Project
    }
  }
  /** Delete an archived project. */
  readonly 'DELETE /projects/{id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Check the domain of a project again. */
  readonly 'POST /projects/{id}/domain/verify': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 202
    readonly answer: {
      readonly data: Project
    }
  }
  /** Get the settings of a project. */
  readonly 'GET /projects/{id}/settings': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Settings
    }
  }
  /** Change the settings of a project. */
  readonly 'PUT /projects/{id}/settings': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: UpdateSettings
    readonly status: 200
    readonly answer: {
      readonly data: UpdatedSettings
    }
  }
  /** Enable Data Mode. */
  readonly 'POST /projects/{id}/data-mode/enable': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 200
    readonly answer: {
      readonly data: EnabledDataMode
    }
  }
  /** Disable Data Mode. */
  readonly 'POST /projects/{id}/data-mode/disable': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 200
    readonly answer: {
      readonly data: DisabledDataMode
    }
  }
  /** Replace the content key. */
  readonly 'POST /projects/{id}/data-mode/regenerate-key': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 200
    readonly answer: {
      readonly data: EnabledDataMode
    }
  }
  /** Get the state of Data Mode. */
  readonly 'GET /projects/{id}/data-mode': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: DataModeStatus
    }
  }
  /** Change Data Mode by an action. */
  readonly 'POST /projects/{id}/data-mode': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: ChangeDataMode
    readonly status: 200
    readonly answer: {
      readonly data: ChangedDataMode
    }
  }
  /** Get the caller. */
  readonly 'GET /users/me': {
    readonly status: 200
    readonly answer: {
      readonly data: User
    }
  }
  /** Get usage and limits. */
  readonly 'GET /users/me/usage': {
    readonly status: 200
    readonly answer: {
      readonly data: Usage
    }
  }
  /** List the pages of a project. */
  readonly 'GET /pages': {
    readonly query: {
      /** The id of a project, with or without `proj_`. */
      readonly project_id: string
      readonly type?: 'page' | 'article' | 'docs' | 'item' | 'post' | 'doc' | 'all' | undefined
      /** Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it. */
      readonly subroute?: string | undefined
      readonly status?: 'draft' | 'published' | 'archived' | 'all' | undefined
      /** An exact slug, or a pattern in which `*` matches any characters. */
      readonly slug?: string | undefined
      /** Only pages with this tag, in any spelling of it. */
      readonly tag?: string | undefined
      readonly sort?: 'created_at' | 'updated_at' | 'page_name' | 'slug' | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      readonly order?: 'asc' | 'desc' | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_after?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_before?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly updated_after?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly updated_before?: string | undefined
      /** `1` and `0` are accepted too. */
      readonly include_content?: boolean | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly PageItem[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
        readonly filters: {
          readonly project_id: string
          readonly type: 'page' | 'article' | 'docs' | 'item' | 'all'
          readonly status: 'draft' | 'published' | 'archived' | 'all'
        }
      }
    }
  }
  /** Create a page. */
  readonly 'POST /pages': {
    readonly body: CreatePage
    readonly status: 201
    readonly answer: {
      readonly data: CreatedPage
    }
  }
  /** Get a page. */
  readonly 'GET /pages/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly query?: {
      /** `1` and `0` are accepted too. */
      readonly include_sections?: boolean | undefined
      /** `1` and `0` are accepted too. */
      readonly include_markdown?: boolean | undefined
      readonly format?: 'json' | 'markdown' | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: Page
    }
    readonly text: true
  }
  /** Change a page. */
  readonly 'PUT /pages/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly body: UpdatePage
    readonly status: 200 | 202
    readonly answer: {
      readonly data: UpdatedPage
    }
  }
  /** Delete a page. */
  readonly 'DELETE /pages/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly query?: {
      /** Target for all paths of the page, present and former: the id of a page, a path of the site, or an `https:` URL. The paths become redirects of the project. */
      readonly redirect_to?: string | undefined
    }
    readonly status: 200 | 202
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
        /** Number of paths at which the page was, and that lead nowhere from now on. */
        readonly lost_addresses: number
      }
    } | {
      readonly data: Job
    }
  }
  /** Publish a page. */
  readonly 'POST /pages/{id}/publish': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly query?: {
      /** True: answers with the plan and changes nothing. */
      readonly dry_run?: boolean | undefined
      /** True: adds `timings` to the answer. */
      readonly timings?: boolean | undefined
    }
    readonly body?: PublishPage
    readonly status: 200 | 202
    readonly answer: {
      readonly data: PublishedPage | DryRun
    } | {
      readonly data: UnscheduledPage
    } | {
      readonly data: Job
    }
  }
  /** List the releases of a page. */
  readonly 'GET /pages/{id}/releases': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Release[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Put an earlier release of a page live again. */
  readonly 'POST /pages/{id}/rollback': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly body: RollBackPage
    readonly status: 200 | 202
    readonly answer: {
      readonly data: PublishedPage
    } | {
      readonly data: Job
    }
  }
  /** Unpublish a page. */
  readonly 'POST /pages/{id}/unpublish': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 200 | 202
    readonly answer: {
      readonly data: UnpublishedPage
    } | {
      readonly data: Job
    }
  }
  /** Publish the page named in the body. */
  readonly 'POST /pages/publish': {
    readonly body: PageRef
    readonly status: 200 | 202
    readonly answer: {
      readonly data: PublishedPageRef
    } | {
      readonly data: PendingPageRef
    }
  }
  /** Unpublish the page named in the body. */
  readonly 'POST /pages/unpublish': {
    readonly body: PageRef
    readonly status: 200 | 202
    readonly answer: {
      readonly data: UnpublishedPageRef
    } | {
      readonly data: PendingPageRef
    }
  }
  /** List pictures and files. */
  readonly 'GET /projects/{id}/assets': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      readonly kind?: 'image' | 'video' | 'audio' | 'font' | 'document' | 'other' | undefined
      /** A part of the name, or a pattern for all of it, in which `*` matches any characters. */
      readonly q?: string | undefined
      /** True: only assets that no page and no setting names. */
      readonly unused?: boolean | undefined
      readonly sort?: 'created_at' | 'updated_at' | 'name' | 'bytes' | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      readonly order?: 'asc' | 'desc' | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Asset[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Upload a picture or a file. */
  readonly 'POST /projects/{id}/assets': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** The name of the asset. Required unless a form gives the file a name. */
      readonly name?: string | undefined
    }
    readonly status: 200 | 201
    readonly answer: {
      readonly data: Asset
    }
  }
  /** Find files that are not uploaded. */
  readonly 'POST /projects/{id}/assets/missing': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: MissingDigests
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly missing: readonly string[]
      }
    }
  }
  /** Get an asset. */
  readonly 'GET /assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Asset
    }
  }
  /** Change the texts or the name of an asset. */
  readonly 'PUT /assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly body: UpdateAsset
    readonly status: 200
    readonly answer: {
      readonly data: Asset
    }
  }
  /** Delete an asset. */
  readonly 'DELETE /assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly query?: {
      /** True: also when live pages show it. */
      readonly force?: boolean | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Replace the bytes of an asset. */
  readonly 'PUT /assets/{id}/content': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Asset
    }
  }
  /** Find what names an asset. */
  readonly 'GET /assets/{id}/usage': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: AssetUsage
    }
  }
  /** Publish many pages. */
  readonly 'POST /projects/{id}/publish': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: PublishPages
    readonly status: 202
    readonly answer: {
      readonly data: Job
    }
  }
  /** List scheduled publishes. */
  readonly 'GET /projects/{id}/schedule': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly ScheduledPublish[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** List jobs. */
  readonly 'GET /projects/{id}/jobs': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      readonly status?: 'queued' | 'running' | 'succeeded' | 'failed' | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Job[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Get a job. */
  readonly 'GET /jobs/{id}': {
    readonly path: {
      /** The id, with or without `job_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Job
    }
  }
  /** Cancel a job. */
  readonly 'DELETE /jobs/{id}': {
    readonly path: {
      /** The id, with or without `job_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Job
    }
  }
  /** List the webhooks of a project. */
  readonly 'GET /projects/{id}/webhooks': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Webhook[]
    }
  }
  /** Create a webhook. */
  readonly 'POST /projects/{id}/webhooks': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: CreateWebhook
    readonly status: 201
    readonly answer: {
      readonly data: WebhookWithSecret
    }
  }
  /** Get a webhook. */
  readonly 'GET /projects/{id}/webhooks/{webhook_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Webhook
    }
  }
  /** Change a webhook. */
  readonly 'PUT /projects/{id}/webhooks/{webhook_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly body: UpdateWebhook
    readonly status: 200
    readonly answer: {
      readonly data: Webhook
    }
  }
  /** Delete a webhook. */
  readonly 'DELETE /projects/{id}/webhooks/{webhook_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Rotate the secret of a webhook. */
  readonly 'POST /projects/{id}/webhooks/{webhook_id}/rotate-secret': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 200
    readonly answer: {
      readonly data: WebhookWithSecret
    }
  }
  /** Send a test event. */
  readonly 'POST /projects/{id}/webhooks/{webhook_id}/test': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 202
    readonly answer: {
      readonly data: Delivery
    }
  }
  /** List the deliveries of a webhook. */
  readonly 'GET /projects/{id}/webhooks/{webhook_id}/deliveries': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
    }
    readonly query?: {
      readonly status?: 'pending' | 'delivered' | 'failed' | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Delivery[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Get a delivery. */
  readonly 'GET /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
      /** The id, with or without `dlv_`. */
      readonly delivery_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Delivery
    }
  }
  /** Send a delivery again. */
  readonly 'POST /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `whk_`. */
      readonly webhook_id: string
      /** The id, with or without `dlv_`. */
      readonly delivery_id: string
    }
    readonly body?: Readonly<Record<string, never>>
    readonly status: 202
    readonly answer: {
      readonly data: Delivery
    }
  }
  /** List the members of a project. */
  readonly 'GET /projects/{id}/members': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Member[]
    }
  }
  /** Invite a member. */
  readonly 'POST /projects/{id}/members': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: InviteMember
    readonly status: 200 | 201
    readonly answer: {
      readonly data: InvitedMember
    }
  }
  /** Give an invitation a new link. */
  readonly 'POST /projects/{id}/members/{member_id}/invitation': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `mem_`. */
      readonly member_id: string
    }
    readonly status: 201
    readonly answer: {
      readonly data: Invitation
    }
  }
  /** Get a member. */
  readonly 'GET /projects/{id}/members/{member_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `mem_`. */
      readonly member_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Member
    }
  }
  /** Change the role of a member. */
  readonly 'PUT /projects/{id}/members/{member_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `mem_`. */
      readonly member_id: string
    }
    readonly body: UpdateMember
    readonly status: 200
    readonly answer: {
      readonly data: Member
    }
  }
  /** Remove a member. */
  readonly 'DELETE /projects/{id}/members/{member_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `mem_`. */
      readonly member_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** List what others offer to you. */
  readonly 'GET /users/me/offers': {
    readonly status: 200
    readonly answer: {
      readonly data: readonly Offer[]
    }
  }
  /** Accept an offer. */
  readonly 'POST /users/me/offers/{id}/accept': {
    readonly path: {
      /** The id, with or without `off_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly accepted: true
      }
    }
  }
  /** Decline an offer. */
  readonly 'POST /users/me/offers/{id}/decline': {
    readonly path: {
      /** The id, with or without `off_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly declined: true
      }
    }
  }
  /** Offer a project to another account. */
  readonly 'POST /projects/{id}/transfer': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: OfferProject
    readonly status: 202
    readonly answer: {
      readonly data: OfferedProject
    }
  }
  /** Take the offer of a project back. */
  readonly 'DELETE /projects/{id}/transfer': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly withdrawn: true
      }
    }
  }
  /** List the redirects of a project. */
  readonly 'GET /projects/{id}/redirects': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      readonly kind?: 'project' | 'stated' | 'former' | undefined
      /** Whether to list those whose target the site does not have, or only the others. */
      readonly dead?: boolean | undefined
      /** A text that the path or the target contains. */
      readonly q?: string | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Redirect[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Create a redirect. */
  readonly 'POST /projects/{id}/redirects': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: CreateRedirect
    readonly status: 200 | 201
    readonly answer: {
      readonly data: Redirect
    }
  }
  /** Delete a redirect of a page. */
  readonly 'DELETE /projects/{id}/redirects': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query: {
      /** A path of the site that no page has, such as `/old/page`, `/old/page.html` or `/index.xml`. */
      readonly from: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly from: string
        readonly deleted: true
      }
    }
  }
  /** Create or change many redirects. */
  readonly 'POST /projects/{id}/redirects/bulk': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: PutRedirects
    readonly status: 200
    readonly answer: {
      readonly data: PutRedirectsResult
    }
  }
  /** Change a redirect. */
  readonly 'PUT /projects/{id}/redirects/{redirect_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `rdr_`. */
      readonly redirect_id: string
    }
    readonly body: UpdateRedirect
    readonly status: 200
    readonly answer: {
      readonly data: Redirect
    }
  }
  /** Delete a redirect. */
  readonly 'DELETE /projects/{id}/redirects/{redirect_id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The id, with or without `rdr_`. */
      readonly redirect_id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Get how often pages were read. */
  readonly 'GET /projects/{id}/visits': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** The first day; 29 days before `to` by default, and at most 399. */
      readonly from?: string | undefined
      /** The last day, in UTC; today by default. */
      readonly to?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: Visits
    }
  }
  /** List what a content folder pushed. */
  readonly 'GET /projects/{id}/sources/{folder}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
      /** The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name. */
      readonly folder: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly PushedRecord[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** List the pushes to a project. */
  readonly 'GET /projects/{id}/pushes': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      /** Only pushes of this folder. */
      readonly folder?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Push[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Begin a push. */
  readonly 'POST /projects/{id}/pushes': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: StartPush
    readonly status: 201
    readonly answer: {
      readonly data: StartedPush
    }
  }
  /** Report the progress or the end of a push. */
  readonly 'PUT /pushes/{id}': {
    readonly path: {
      /** The id, with or without `psh_`. */
      readonly id: string
    }
    readonly body: ReportPush
    readonly status: 200
    readonly answer: {
      readonly data: Push
    }
  }
  /** List the keys of the account. */
  readonly 'GET /keys': {
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly Key[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Create a key. */
  readonly 'POST /keys': {
    readonly body: CreateKey
    readonly status: 201
    readonly answer: {
      readonly data: KeyWithSecret
    }
  }
  /** Get a key. */
  readonly 'GET /keys/{id}': {
    readonly path: {
      /** The id, with or without `key_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: Key
    }
  }
  /** Change a key. */
  readonly 'PUT /keys/{id}': {
    readonly path: {
      /** The id, with or without `key_`. */
      readonly id: string
    }
    readonly body: UpdateKey
    readonly status: 200
    readonly answer: {
      readonly data: Key
    }
  }
  /** Revoke a key. */
  readonly 'DELETE /keys/{id}': {
    readonly path: {
      /** The id, with or without `key_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Give a key a new secret. */
  readonly 'POST /keys/{id}/rotate': {
    readonly path: {
      /** The id, with or without `key_`. */
      readonly id: string
    }
    readonly body?: RotateKey
    readonly status: 200
    readonly answer: {
      readonly data: KeyWithSecret
    }
  }
  /** List what was done to a project. */
  readonly 'GET /projects/{id}/audit': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      /** Only rows of this act. */
      readonly act?: 'page.create' | 'page.update' | 'page.undo' | 'page.publish' | 'page.unpublish' | 'page.roll_back' | 'page.refresh' | 'page.delete' | 'page.schedule' | 'page.unschedule' | 'page.propose' | 'page.withdraw' | 'preview.create' | 'preview.end' | 'page.return' | 'project.create' | 'project.update' | 'project.delete' | 'project.offer' | 'project.transfer' | 'project.replace_secrets' | 'push.start' | 'push.end' | 'settings.update' | 'domain.check' | 'domain.activate' | 'domain.fail' | 'domain.release' | 'data_mode.enable' | 'data_mode.disable' | 'data_mode.regenerate_key' | 'asset.create' | 'asset.update' | 'asset.replace' | 'asset.restore' | 'asset.delete' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'webhook.test' | 'webhook.redeliver' | 'webhook.disable' | 'webhook.delete' | 'member.invite' | 'member.resend' | 'member.accept' | 'member.decline' | 'member.update' | 'member.remove' | 'redirect.create' | 'redirect.update' | 'redirect.delete' | 'job.start' | 'job.cancel' | 'job.retry' | 'key.create' | 'key.update' | 'key.rotate' | 'key.reissue' | 'key.revoke' | 'user.create' | 'user.lock' | 'user.unlock' | 'user.delete' | 'user.merge' | 'user.set_limits' | 'user.issue_set_up_link' | 'user.set_password' | 'user.set_email' | 'user.enable_second_factor' | 'user.disable_second_factor' | 'user.renew_recovery_codes' | 'user.add_passkey' | 'user.remove_passkey' | 'session.start' | 'session.end' | 'session.refuse' | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_after?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_before?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly AuditEntry[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** List what was done in the account. */
  readonly 'GET /users/me/audit': {
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      /** Only rows of this act. */
      readonly act?: 'page.create' | 'page.update' | 'page.undo' | 'page.publish' | 'page.unpublish' | 'page.roll_back' | 'page.refresh' | 'page.delete' | 'page.schedule' | 'page.unschedule' | 'page.propose' | 'page.withdraw' | 'preview.create' | 'preview.end' | 'page.return' | 'project.create' | 'project.update' | 'project.delete' | 'project.offer' | 'project.transfer' | 'project.replace_secrets' | 'push.start' | 'push.end' | 'settings.update' | 'domain.check' | 'domain.activate' | 'domain.fail' | 'domain.release' | 'data_mode.enable' | 'data_mode.disable' | 'data_mode.regenerate_key' | 'asset.create' | 'asset.update' | 'asset.replace' | 'asset.restore' | 'asset.delete' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'webhook.test' | 'webhook.redeliver' | 'webhook.disable' | 'webhook.delete' | 'member.invite' | 'member.resend' | 'member.accept' | 'member.decline' | 'member.update' | 'member.remove' | 'redirect.create' | 'redirect.update' | 'redirect.delete' | 'job.start' | 'job.cancel' | 'job.retry' | 'key.create' | 'key.update' | 'key.rotate' | 'key.reissue' | 'key.revoke' | 'user.create' | 'user.lock' | 'user.unlock' | 'user.delete' | 'user.merge' | 'user.set_limits' | 'user.issue_set_up_link' | 'user.set_password' | 'user.set_email' | 'user.enable_second_factor' | 'user.disable_second_factor' | 'user.renew_recovery_codes' | 'user.add_passkey' | 'user.remove_passkey' | 'session.start' | 'session.end' | 'session.refuse' | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_after?: string | undefined
      /** ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC. */
      readonly created_before?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly data: readonly AuditEntry[]
      readonly meta: {
        /** Number of items that match, on all pages of the list. */
        readonly total: number
        readonly limit: number
        readonly offset: number
        /** Whether more items follow. */
        readonly has_more: boolean
      }
    }
  }
  /** Create a preview link. */
  readonly 'POST /pages/{id}/preview': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly body?: {
      readonly expires_in?: number | undefined
    }
    readonly status: 201
    readonly answer: {
      readonly data: PreviewLink
    }
  }
  /** Preview a page. */
  readonly 'GET /render/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly query?: {
      /** Renders the page with another theme. */
      readonly theme?: string | undefined
      /** The token of a preview link, in place of a key. */
      readonly token?: string | undefined
    }
    readonly status: 200
    readonly text: true
  }
  /** Check that the process is alive. */
  readonly 'GET /healthz': {
    readonly status: 200
    readonly answer: {
      readonly status: "ok"
    }
  }
  /** Check that the service can work. */
  readonly 'GET /readyz': {
    readonly status: 200
    readonly answer: {
      readonly status: 'ok' | 'unavailable'
      readonly database: boolean
      readonly storage: boolean
    }
  }
  /** Get metrics. */
  readonly 'GET /metrics': {
    readonly status: 200
    readonly text: true
  }
  /** Ask whether a domain may get a certificate. */
  readonly 'GET /internal/tls-ask': {
    readonly query?: {
      readonly domain?: string | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly domain: string
    }
  }
  /** Get the OpenAPI document. */
  readonly 'GET /openapi.json': {
    readonly status: 200
    readonly answer: {
      readonly openapi: string
      readonly [field: string]: unknown
    }
  }
  /** Get the schema of sections. */
  readonly 'GET /schemas/sections.json': {
    readonly status: 200
    readonly answer: {
      readonly $schema: string
      readonly [field: string]: unknown
    }
  }
  /** Get the API reference. */
  readonly 'GET /reference': {
    readonly status: 200
    readonly text: true
  }
  /** Get the page about an error. */
  readonly 'GET /problems/{name}': {
    readonly path: {
      readonly name: string
    }
    readonly status: 200
    readonly text: true
  }
  /** Get the style sheet of the API reference. */
  readonly 'GET /reference/style.css': {
    readonly status: 200
    readonly text: true
  }
  /** List projects. */
  readonly 'GET /v1/projects': {
    readonly query?: {
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: readonly LegacyProjectItem[]
      /** Whether more items follow. */
      readonly has_more: boolean
      /** Number of items that match, on all pages of the list. */
      readonly total: number
    }
  }
  /** Create a project. */
  readonly 'POST /v1/projects': {
    readonly body: LegacyCreateProject
    readonly status: 201
    readonly answer: {
      readonly success: true
      readonly data: LegacyProjectItem
    }
  }
  /** Get a project. */
  readonly 'GET /v1/projects/{id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyProject
    }
  }
  /** Change a project. */
  readonly 'PUT /v1/projects/{id}': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: LegacyUpdateProject
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyProject
    }
  }
  /** List the pages of a project. */
  readonly 'GET /v1/pages': {
    readonly query: {
      /** The id of a project, with or without `proj_`. */
      readonly project_id: string
      /** Only pages with this tag, in any spelling of it. */
      readonly tag?: string | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: readonly LegacyPageItem[]
      /** Whether more items follow. */
      readonly has_more: boolean
      /** Number of items that match, on all pages of the list. */
      readonly total: number
    }
  }
  /** Create a page. */
  readonly 'POST /v1/pages': {
    readonly body: LegacyCreatePage
    readonly status: 201
    readonly answer: {
      readonly success: true
      readonly data: LegacyPage
    }
  }
  /** Get a page. */
  readonly 'GET /v1/pages/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyPage
    }
  }
  /** Change a page. */
  readonly 'PUT /v1/pages/{id}': {
    readonly path: {
      /** The id, with or without `page_`. */
      readonly id: string
    }
    readonly body: LegacyUpdatePage
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyPage
    }
  }
  /** Publish a page. */
  readonly 'POST /v1/pages/publish': {
    readonly body: LegacyPageRef
    readonly status: 200 | 202
    readonly answer: {
      readonly success: true
      readonly data: LegacyPublishedPage
    } | {
      readonly success: true
      readonly data: LegacyPendingPage
    }
  }
  /** Unpublish a page. */
  readonly 'POST /v1/pages/unpublish': {
    readonly body: LegacyPageRef
    readonly status: 200 | 202
    readonly answer: {
      readonly success: true
      readonly data: LegacyUnpublishedPage
    } | {
      readonly success: true
      readonly data: LegacyPendingPage
    }
  }
  /** Get the settings of a project. */
  readonly 'GET /v1/projects/{id}/settings': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacySettings
    }
  }
  /** Change the settings of a project. */
  readonly 'PUT /v1/projects/{id}/settings': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: LegacyUpdateSettings
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyUpdatedSettings
    }
  }
  /** Get the state of Data Mode. */
  readonly 'GET /v1/projects/{id}/data-mode': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyDataModeStatus
    }
  }
  /** Change Data Mode. */
  readonly 'POST /v1/projects/{id}/data-mode': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: LegacyChangeDataMode
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyChangedDataMode
    }
  }
  /** Get the caller. */
  readonly 'GET /v1/users/me': {
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyUser
    }
  }
  /** List pictures and files. */
  readonly 'GET /v1/projects/{id}/assets': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      readonly kind?: 'image' | 'video' | 'audio' | 'font' | 'document' | 'other' | undefined
      /** A part of the name, or a pattern for all of it, in which `*` matches any characters. */
      readonly q?: string | undefined
      /** True: only assets that no page and no setting names. */
      readonly unused?: boolean | undefined
      readonly sort?: 'created_at' | 'updated_at' | 'name' | 'bytes' | undefined
      /** Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got. */
      readonly limit?: number | undefined
      /** Number of items to skip. */
      readonly offset?: number | undefined
      readonly order?: 'asc' | 'desc' | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: readonly LegacyAsset[]
      /** Whether more items follow. */
      readonly has_more: boolean
      /** Number of items that match, on all pages of the list. */
      readonly total: number
    }
  }
  /** Upload a picture or a file. */
  readonly 'POST /v1/projects/{id}/assets': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly query?: {
      /** The name of the asset. Required unless a form gives the file a name. */
      readonly name?: string | undefined
    }
    readonly status: 200 | 201
    readonly answer: {
      readonly success: true
      readonly data: LegacyAsset
    }
  }
  /** Find files that are not uploaded. */
  readonly 'POST /v1/projects/{id}/assets/missing': {
    readonly path: {
      /** The id, with or without `proj_`. */
      readonly id: string
    }
    readonly body: LegacyMissingDigests
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: {
        readonly missing: readonly string[]
      }
    }
  }
  /** Get an asset. */
  readonly 'GET /v1/assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyAsset
    }
  }
  /** Change the texts or the name of an asset. */
  readonly 'PUT /v1/assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly body: LegacyUpdateAsset
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyAsset
    }
  }
  /** Delete an asset. */
  readonly 'DELETE /v1/assets/{id}': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly query?: {
      /** True: also when live pages show it. */
      readonly force?: boolean | undefined
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: {
        readonly id: string
        readonly deleted: true
      }
    }
  }
  /** Replace the bytes of an asset. */
  readonly 'PUT /v1/assets/{id}/content': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyAsset
    }
  }
  /** Find what names an asset. */
  readonly 'GET /v1/assets/{id}/usage': {
    readonly path: {
      /** The id, with or without `ast_`. */
      readonly id: string
    }
    readonly status: 200
    readonly answer: {
      readonly success: true
      readonly data: LegacyAssetUsage
    }
  }
}
