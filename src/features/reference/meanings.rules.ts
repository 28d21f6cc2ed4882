import { type RefusalCode, refusalCodes, refusals } from '#shared/refusals.ts'

/** Meaning of each error code, for developers. */
export const refusalMeanings: Readonly<Record<RefusalCode, string>> = {
  invalid: 'Un champ ou un paramètre n’est pas admis\u00a0: `errors` dit lequel.',
  unauthenticated: 'Ni session, ni clé valable.',
  payment_required: 'L’essai ou l’abonnement est terminé.',
  forbidden: 'Le compte n’a pas ce droit.',
  scope_missing:
    'La clé n’a pas cette portée, ou l’adresse n’est pas ouverte aux clés. Aucune portée de lecture n’écrit\u00a0: ses propres alertes, suivis, partages et rapports demandent `own.write`.',
  not_found: 'L’élément ou l’adresse n’existe pas, ou n’existe plus.',
  method_not_allowed: '`Allow` donne les méthodes de cette adresse.',
  too_slow: 'La requête a mis trop de temps à arriver.',
  conflict: 'L’état actuel ne le permet pas\u00a0: le message dit pourquoi.',
  duplicate: 'Un autre élément a déjà cette valeur\u00a0: `errors` dit quel champ.',
  in_use: 'Suppression refusée\u00a0: d’autres données en dépendent.',
  stale: 'L’élément a changé depuis qu’il a été lu\u00a0: lisez-le à nouveau.',
  cursor_expired:
    'Ce qui a changé est gardé 90\u00a0jours, ce curseur est plus ancien\u00a0: relisez tout avec `cursor=start`, dans une copie vide.',
  too_large: 'Le corps ou le fichier dépasse la limite.',
  unsupported: 'Le type du corps n’est pas celui de l’opération.',
  expectation_failed: 'L’en-tête `Expect` n’est pas pris en charge.',
  unprocessable: 'La clé d’idempotence a servi pour une autre demande.',
  limited: 'Trop de tentatives\u00a0: attendez `Retry-After` secondes.',
  quota_exceeded: 'Les appels de la minute ou du mois sont épuisés\u00a0: attendez `Retry-After` secondes.',
  headers_too_large: 'L’adresse et les en-têtes sont trop longs.',
  internal: 'Une faute de notre côté\u00a0: citez `requestId` en nous écrivant.',
  unavailable: 'Réessayez après `Retry-After` secondes.',
}

/** Each code with its status, as listed on the page of errors. */
export const listedRefusals = refusalCodes.map((code) => ({ code, status: refusals[code][0] }))
