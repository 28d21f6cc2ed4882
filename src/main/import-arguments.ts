import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readCurrencyMap } from '#features/imports/prices/quotes.rules.ts'

/** What was typed cannot be understood; the message says how to type it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const usage = `Utilisation : npm run import -- prices FICHIER [options]

  FICHIER                   CSV ou XLSX ; «\u202f-\u202f» lit l’entrée standard
  --dry-run                 dit ce qui se passerait, n’écrit rien
  --currency-map XAF=CDF    lit une devise comme une autre (à répéter au besoin)
  --mapping NOM             lit les colonnes comme la correspondance de ce nom (page Imports)
  --json                    donne le rapport en JSON sur la dernière ligne`

/**
 * Reads the words of `npm run import -- prices FILE …`.
 *
 * @throws UsageError in French
 */
export function readArguments(words: string[]) {
  const { values, positionals } = parse(words)
  const [subject, file, ...others] = positionals
  if (subject !== 'prices' || !file || others.length > 0) throw new UsageError(usage)
  const currencyMap = readCurrencyMap(values['currency-map'] ?? [])
  if (currencyMap.reason !== undefined) throw new UsageError(currencyMap.reason)
  return {
    // «\u202f-\u202f» is what is piped into the command.
    path: file === '-' ? file : resolve(values.from ?? '', file),
    fileName: file === '-' ? 'l’entrée standard' : basename(file),
    isDryRun: values['dry-run'] ?? false,
    isJson: values.json ?? false,
    mappingName: values.mapping ?? null,
    currencyMap: currencyMap.value,
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        mapping: { type: 'string' },
        'currency-map': { type: 'string', multiple: true },
        // The folder in which the command was typed, since npm moves to the one of package.json.
        from: { type: 'string' },
      },
    })
  } catch (error) {
    // An unknown option, or one without its value: the usage says more than Node's English.
    throw new UsageError(usage, { cause: error })
  }
}
