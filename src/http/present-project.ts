import type { ProjectRecord } from '../db/repositories/projects.ts'
import { CHALLENGE_PATH, challengeRecord, challengeToken } from '../domain/domain-proof.ts'
import { prefixed } from '../domain/ids.ts'
import { settingsToFields } from '../fields/settings-record.ts'
import type { ProjectWithSettings } from '../services/projects/projects.ts'

/* A project in the form of the current surface and of the command line. */

export function presentProjectItem({ project, pageCount }: ProjectRecord) {
  return {
    id: prefixed('proj', project.id),
    name: project.name,
    slug: project.slug,
    domain: project.hosting.customDomain,
    status: project.status,
    hosting_mode: project.hosting.mode,
    page_count: pageCount,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  }
}

export function presentProject(found: ProjectWithSettings) {
  const { hosting } = found.project
  return {
    ...presentProjectItem(found),
    settings: settingsToFields('project', found.settings.settings),
    hosting: {
      mode: hosting.mode,
      subdomain: hosting.subdomain,
      custom_domain: hosting.customDomain,
      ssl_enabled: hosting.sslEnabled,
      cdn_enabled: hosting.cdnEnabled,
      base_path: hosting.basePath,
      manifest: hosting.manifest,
      slugs: hosting.slugs,
      domain_status: found.domainProof?.status ?? 'none',
      domain_challenge: presentChallenge(found),
    },
  }
}

/** Presents the proof that the owner of a domain publishes: either the TXT record or the file. */
function presentChallenge({ project, domainProof }: ProjectRecord) {
  const domain = project.hosting.customDomain
  if (domain === null || domainProof === null) return null
  return {
    token: challengeToken(project.id),
    txt_record: challengeRecord(domain),
    file_url: `http://${domain}${CHALLENGE_PATH}`,
    checked_at: domainProof.checkedAt,
    problem: domainProof.problem,
  }
}
