import { expect, test } from 'vitest'
import { refuseWeakPassword } from './password-policy.ts'

const own = ['Aline Mbuyi', 'am.7@k1.cd']

test.each([
  'aaaaaaaa',
  '        ',
  '\u200b'.repeat(8),
  'ab12\u200d\u200d\u200d\u200d',
  '12121212',
  'abcdabcd',
  'kinkinkin',
  '12345678',
  'Kinshasa2026',
  'K1nsh@sa2026!',
  'GOMA 2026 goma',
  'bonjour123',
  'Bonjour Kinshasa',
  'motdepasse26',
  'mot de passe 1',
  'jésus2026!!',
  'azerty1234',
  'soleil01012026',
  'Dragon2026!',
  'AM.7@K1.CD',
  'am.7@k1.cd ',
  'alinembuyi99',
])('« %s » is refused', async (password) => {
  await expect(refuseWeakPassword(password, own)).rejects.toMatchObject({ code: 'invalid' })
})

test.each([
  'kwanga au marché 77',
  'makemba du dimanche',
  'trois sacs de riz à Goma',
  'Xk7-qpZ4v',
  'canari jaune 1960 serin',
  'kinshasa 48261937505',
  'донат рис 2x',
])('« %s » is accepted', async (password) => {
  await refuseWeakPassword(password, own)
})
