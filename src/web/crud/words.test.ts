import { expect, test } from 'vitest'
import { wordsOf } from '#web/crud/words.ts'

test('articles and participles agree with the noun', () => {
  expect(wordsOf({ one: 'Marque', many: 'marques', gender: 'f' })).toMatchObject({
    title: 'Marques',
    a: 'une marque',
    the: 'la marque',
    of: 'de la marque',
    this: 'cette marque',
    none: 'Aucune marque trouvée',
  })
  expect(wordsOf({ one: 'Marché', many: 'marchés', gender: 'm' })).toMatchObject({
    the: 'le marché',
    of: 'du marché',
    this: 'ce marché',
    none: 'Aucun marché trouvé',
  })
})

test('a noun that begins with a vowel is elided', () => {
  expect(wordsOf({ one: 'Agent', many: 'agents', gender: 'm' })).toMatchObject({
    the: 'l’agent',
    of: 'de l’agent',
    this: 'cet agent',
  })
  expect(wordsOf({ one: 'Entreprise', many: 'entreprises', gender: 'f' })).toMatchObject({
    the: 'l’entreprise',
    this: 'cette entreprise',
  })
})
