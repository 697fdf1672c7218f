/** Preview links opened after their end. They open no more, whatever the clock says later. */
export interface ExpiredPreviewRepository {
  /** @param digest SHA-256 of the link's token, hex. */
  has(digest: string): Promise<boolean>
  /** False when it was added before. */
  add(digest: string, expiresAt: string): Promise<boolean>
  /** Deletes some links that expired until a time. False when none is left. */
  prune(until: string): Promise<boolean>
}
