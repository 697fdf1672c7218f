import { type AssetOperationPorts, assetOperations } from '../asset-operations.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Operation } from '../openapi/operation.ts'
import { PREVIEW_OPERATIONS } from '../preview/preview-operations.ts'
import type { PreviewRoutePorts } from '../preview/preview-routes.ts'
import { ACCOUNT_OPERATIONS, type AccountOperationPorts } from './account-operations.ts'
import { AUDIT_OPERATIONS, type AuditOperationPorts } from './audit-operations.ts'
import { BULK_PAGE_OPERATIONS, type BulkPageOperationPorts } from './bulk-page-operations.ts'
import { CHANGE_OPERATIONS, type ChangeOperationPorts } from './change-operations.ts'
import { DATA_MODE_OPERATIONS, type DataModeOperationPorts } from './data-mode-operations.ts'
import { JOB_OPERATIONS, type JobOperationPorts } from './job-operations.ts'
import { KEY_OPERATIONS, type KeyOperationPorts } from './key-operations.ts'
import { MEMBER_OPERATIONS, type MemberOperationPorts } from './member-operations.ts'
import { OFFER_OPERATIONS, type OfferOperationPorts } from './offer-operations.ts'
import { PAGE_OPERATIONS, type PageOperationPorts } from './page-operations.ts'
import { ASSET_FORM } from './present-asset.ts'
import { type ProjectOperationPorts, projectOperations } from './project-operations.ts'
import { PUBLISHING_OPERATIONS, type PublishingOperationPorts } from './publishing-operations.ts'
import { PUSH_OPERATIONS, type PushOperationPorts } from './push-operations.ts'
import { REDIRECT_OPERATIONS, type RedirectOperationPorts } from './redirect-operations.ts'
import { VISIT_OPERATIONS, type VisitOperationPorts } from './visit-operations.ts'
import { WEBHOOK_OPERATIONS, type WebhookOperationPorts } from './webhook-operations.ts'

export type CurrentOperationPorts = ProjectOperationPorts &
  DataModeOperationPorts &
  AccountOperationPorts &
  PageOperationPorts &
  PublishingOperationPorts &
  BulkPageOperationPorts &
  AssetOperationPorts &
  JobOperationPorts &
  WebhookOperationPorts &
  MemberOperationPorts &
  OfferOperationPorts &
  RedirectOperationPorts &
  VisitOperationPorts &
  PushOperationPorts &
  KeyOperationPorts &
  AuditOperationPorts &
  ChangeOperationPorts &
  PreviewRoutePorts

/**
 * The operations of the current surface, in the order of the OpenAPI document.
 *
 * @param themes names of the installed themes.
 */
export function currentOperations(
  themes: readonly string[],
): readonly (Operation | Endpoint<CurrentOperationPorts>)[] {
  return [
    ...projectOperations(themes),
    ...DATA_MODE_OPERATIONS,
    ...ACCOUNT_OPERATIONS,
    ...PAGE_OPERATIONS,
    ...PUBLISHING_OPERATIONS,
    ...BULK_PAGE_OPERATIONS,
    ...assetOperations(ASSET_FORM),
    ...JOB_OPERATIONS,
    ...WEBHOOK_OPERATIONS,
    ...MEMBER_OPERATIONS,
    ...OFFER_OPERATIONS,
    ...REDIRECT_OPERATIONS,
    ...VISIT_OPERATIONS,
    ...PUSH_OPERATIONS,
    ...KEY_OPERATIONS,
    ...AUDIT_OPERATIONS,
    ...CHANGE_OPERATIONS,
    ...PREVIEW_OPERATIONS,
  ]
}
