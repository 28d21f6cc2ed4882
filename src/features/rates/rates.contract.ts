import { z } from 'zod'
import { followable } from '#shared/changes.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import {
  dayFilter,
  dayInput,
  factor,
  inOrder,
  instant,
  optionalText,
  reversedPeriod,
  searchText,
} from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const exchangeRate = z
  .object({
    id: z.int(),
    /** The day from which it holds, until the next day with a rate. */
    day: z.string(),
    cdfPerUsd: z.number(),
    source: z.string().nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ExchangeRate' })

const base = defineResource({
  name: 'exchange-rates',
  listed: 'data',
  noun: { one: 'Taux de change', many: 'taux de change', gender: 'm' },
  // Users who may read prices may read the rates used to convert them.
  permission: { read: 'prices.read', write: 'rates.write' },
  row: exchangeRate,
  versioned: 'updatedAt',
  input: z
    .object({
      day: dayInput.refine((day) => day <= tomorrow(), 'Un taux n’est connu que jusqu’au lendemain'),
      cdfPerUsd: factor,
      source: optionalText(200),
    })
    .meta({ id: 'ExchangeRateBody' }),
  filters: { search: searchText, startDate: dayFilter, endDate: dayFilter },
  sortable: ['day', 'cdfPerUsd', 'source'],
  columns: [
    { key: 'day', title: 'Jour', value: ({ day }) => day },
    { key: 'cdfPerUsd', title: 'Francs pour un dollar', kind: 'number', value: ({ cdfPerUsd }) => cdfPerUsd },
    { key: 'source', title: 'Source', value: ({ source }) => source },
    { key: 'updatedAt', title: 'Modifié le', kind: 'instant', value: ({ updatedAt }) => updatedAt },
  ],
})

const list = followable(base.list, exchangeRate)

export const exchangeRates = {
  ...base,
  list: { ...list, query: list.query.refine(inOrder, reversedPeriod) },
  exportAll: { ...base.exportAll, query: base.exportAll.query.refine(inOrder, reversedPeriod) },
}

/** Returns tomorrow in Kinshasa: the rate of a day may be published the day before. */
function tomorrow(): string {
  return addDays(dayInKinshasa(new Date()), 1)
}
