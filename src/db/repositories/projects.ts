import type { DomainProof } from '../../domain/domain-proof.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import type { Hosting, Project, ProjectStatus } from '../../domain/project.ts'
import type { SiteRoutes } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import type { SiteHost } from '../../domain/site-host.ts'

/** A project with the setting that the paths of its pages depend on. */
export interface Home {
  readonly project: Project
  readonly siteRoutes: SiteRoutes
}

export interface ProjectRecord extends Home {
  readonly pageCount: number
  /** Proof of the custom domain; null without one. */
  readonly domainProof: DomainProof | null
}

/** The project that serves a custom domain, or its name with or without `www.`. */
export interface DomainHolder {
  readonly id: ProjectId
  readonly proof: DomainProof
}

/** The project that a visitor's host belongs to. */
export type HostedProject = Pick<Project, 'id' | 'status'> & {
  readonly hosting: Pick<Hosting, 'mode' | 'basePath' | 'customDomain'>
}

/** A site that agents may read. */
export interface AgentSite {
  readonly project: Project
  readonly settings: Pick<Settings, 'siteName' | 'branding' | 'locales'>
}

export interface ProjectFilter {
  /** The owner of the account, or a member. */
  readonly userId: UserId
  /** Restricts to one project. */
  readonly only: ProjectId | null
  readonly status: ProjectStatus | null
  readonly domain: string | null
  /** Only projects that this content folder was pushed to. */
  readonly folder?: string | null
  /** A part of the name, in any case. */
  readonly search?: string | null
  /** Exclusive bounds. */
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly updatedAfter?: string | null
}

export type ProjectSort = 'created_at' | 'updated_at' | 'name'

export interface ProjectRepository {
  /** Inserts the project with default settings. A number at the end makes its slug unique for the owner. */
  insert(project: Project): Promise<Project>
  find(id: ProjectId): Promise<ProjectRecord | null>
  /** Returns the status of a project; null when the project does not exist. */
  statusOf(id: ProjectId): Promise<ProjectStatus | null>
  /** The owner of a project, also of a deleted one; null for an unknown id. */
  ownerOf(id: ProjectId): Promise<UserId | null>
  /**
   * The project with this host, in any status; null when there is none. A custom domain is found while its proof is
   * active, also by its name with or without `www.`, which then differs from `hosting.customDomain`.
   */
  findByHost(host: SiteHost): Promise<HostedProject | null>
  /** The project, if its settings let agents read its site. Null otherwise, and in Data Mode. */
  agentSite(id: ProjectId): Promise<AgentSite | null>
  list(filter: ProjectFilter, paging: Paging<ProjectSort>): Promise<Listed<ProjectRecord>>
  all(): Promise<readonly ProjectRecord[]>
  /** Ids of all projects, deleted ones included, oldest first. */
  ids(): Promise<readonly ProjectId[]>
  /**
   * A change of the custom domain needs its proof too.
   *
   * @throws {ServiceError} `conflict` when another project of the user has the domain, with or without `www.`, or any
   *   project serves it or has the subdomain.
   */
  update(id: ProjectId, fields: ProjectFields, now: string): Promise<void>
  /** The projects that serve this domain, or its name with or without `www.`: one, or one each from before proofs. */
  domainHolders(domain: string): Promise<readonly DomainHolder[]>
  /** Records the result of a check. It is no edit, so version and `updatedAt` stay. */
  setDomainProof(id: ProjectId, proof: DomainProof): Promise<void>
  /** The projects that belong to a user's account, deleted ones included, oldest first. */
  ownedBy(userId: UserId): Promise<readonly { readonly id: ProjectId; readonly isDeleted: boolean }[]>
  /**
   * Gives a project to the account of another user, who is a member no longer. Its slug changes when that account has the
   * same one.
   *
   * @throws {ServiceError} `conflict` when another project of that account has the domain.
   */
  transfer(id: ProjectId, to: UserId): Promise<void>
  /** Number of its live pages that are stored as plaintext. */
  plaintextPages(id: ProjectId): Promise<number>
  /** Marks the project as deleted: it is not found any more, and its name and addresses are free. The row remains as a tombstone. */
  markDeleted(id: ProjectId, now: string): Promise<void>
}

/** Fields of a project to change; `undefined` leaves a field unchanged. */
export type ProjectFields = {
  readonly [K in 'name' | 'status' | 'context' | 'legacySettings']?: Project[K] | undefined
} & {
  readonly hosting?: { readonly [K in keyof Hosting]?: Hosting[K] | undefined } | undefined
  readonly domainProof?: DomainProof | null | undefined
}
