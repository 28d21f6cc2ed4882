import { expect, test } from 'vitest'
import { z } from 'zod'
import { frenchIssue } from './french-issues.ts'

test.each([
  [z.object({}), [], 'Un objet JSON est attendu'],
  [z.object({}), undefined, 'Un objet JSON est attendu'],
  [z.object({ a: z.string() }), {}, 'Ce champ est obligatoire'],
  [z.object({ a: z.string() }), { a: 1 }, 'Un texte est attendu'],
  [z.array(z.int()), [1.5], 'Un nombre entier est attendu'],
  [z.enum(['CDF', 'USD']), 'EUR', 'Valeurs possibles\u00a0: CDF, USD'],
  [z.string().max(3), 'abcd', 'Cette valeur est trop grande\u00a0: 3 au plus'],
  [z.number().min(1), 0, 'Cette valeur est trop petite\u00a0: 1 au moins'],
  [z.string().regex(/^a$/), 'b', 'Ce texte n’a pas la forme attendue'],
  [z.int().multipleOf(2), 3, 'Valeur refusée'],
])('%# a contract without its own messages still refuses in French', (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: frenchIssue })
  expect(error?.issues[0]?.message).toBe(message)
})
