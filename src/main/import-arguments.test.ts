import { expect, test } from 'vitest'
import { readArguments, UsageError } from '#main/import-arguments.ts'

test('the command takes a file, with or without options', () => {
  expect(readArguments(['prices', '/a/b.csv'])).toEqual({
    path: '/a/b.csv',
    fileName: 'b.csv',
    isDryRun: false,
    isJson: false,
    mappingName: null,
    currencyMap: new Map(),
  })
  const words = [
    '--json',
    '--mapping=Ministère',
    'prices',
    '--currency-map',
    'XAF=CDF',
    'b.csv',
    '--dry-run',
    '--currency-map=XOF=USD',
  ]
  expect(readArguments(words)).toMatchObject({
    isDryRun: true,
    isJson: true,
    mappingName: 'Ministère',
    currencyMap: new Map([
      ['XAF', 'CDF'],
      ['XOF', 'USD'],
    ]),
  })
})

test('the command finds the file from the folder in which it was typed', () => {
  expect(readArguments(['--from=/home/amina', 'prices', 'b.csv']).path).toBe('/home/amina/b.csv')
  expect(readArguments(['--from=/home/amina', 'prices', '/tmp/b.csv']).path).toBe('/tmp/b.csv')
})

test.each([
  [[], /Utilisation/],
  [['prices'], /Utilisation/],
  [['prices', 'a.csv', 'b.csv'], /Utilisation/],
  [['taux', 'a.csv'], /Utilisation/],
  [['prices', 'a.csv', '--force'], /Utilisation/],
  [['prices', 'a.csv', '--currency-map', 'XAF=EUR'], /XAF=CDF/],
])('the command does not accept %j', (words, message) => {
  expect(() => readArguments(words)).toThrow(UsageError)
  expect(() => readArguments(words)).toThrow(message)
})
