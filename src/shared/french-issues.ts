import type { z } from 'zod'

const expected: Record<string, string> = {
  string: 'Un texte est attendu',
  number: 'Un nombre est attendu',
  int: 'Un nombre entier est attendu',
  boolean: 'Vrai ou faux est attendu',
  array: 'Une liste est attendue',
  object: 'Un objet JSON est attendu',
  file: 'Un fichier est attendu',
}

/**
 * Returns a French message for a validation issue without its own message in the contract; zod's messages are
 * technical.
 */
export function frenchIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && (issue.path?.length ?? 0) > 0
        ? 'Ce champ est obligatoire'
        : (expected[issue.expected] ?? 'Valeur refusée')
    case 'invalid_value':
      return `Valeurs possibles\u00a0: ${issue.values.join(', ')}`
    case 'too_small':
      return `Cette valeur est trop petite\u00a0: ${issue.minimum} au moins`
    case 'too_big':
      return `Cette valeur est trop grande\u00a0: ${issue.maximum} au plus`
    case 'invalid_format':
      return 'Ce texte n’a pas la forme attendue'
    default:
      return 'Valeur refusée'
  }
}
