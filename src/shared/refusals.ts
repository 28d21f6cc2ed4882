/**
 * The closed list of error codes, with the HTTP status and the short French title of each. A code names one cause, for
 * programs; its meaning never changes.
 */
export const refusals = {
  invalid: [400, 'Requête invalide'],
  unauthenticated: [401, 'Connexion requise'],
  payment_required: [402, 'Accès payant'],
  forbidden: [403, 'Accès refusé'],
  scope_missing: [403, 'Accès refusé'],
  not_found: [404, 'Introuvable'],
  method_not_allowed: [405, 'Méthode non autorisée'],
  too_slow: [408, 'Trop lent'],
  conflict: [409, 'Conflit'],
  duplicate: [409, 'Conflit'],
  in_use: [409, 'Conflit'],
  stale: [409, 'Conflit'],
  cursor_expired: [410, 'Curseur périmé'],
  too_large: [413, 'Trop volumineux'],
  unsupported: [415, 'Format non pris en charge'],
  expectation_failed: [417, 'Attente refusée'],
  unprocessable: [422, 'Demande contradictoire'],
  limited: [429, 'Trop de tentatives'],
  quota_exceeded: [429, 'Quota atteint'],
  headers_too_large: [431, 'Trop volumineux'],
  internal: [500, 'Erreur interne'],
  unavailable: [503, 'Service indisponible'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type RefusalCode = keyof typeof refusals

/** Every code, in the order of the statuses. */
export const refusalCodes = Object.keys(refusals) as [RefusalCode, ...RefusalCode[]]
