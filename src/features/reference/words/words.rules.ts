import { accountWords } from '#features/reference/words/accounts.rules.ts'
import { alertWords } from '#features/reference/words/alerts.rules.ts'
import { billingWords } from '#features/reference/words/billing.rules.ts'
import { catalogueWords } from '#features/reference/words/catalogue.rules.ts'
import { collectionWords } from '#features/reference/words/collection.rules.ts'
import { figureWords } from '#features/reference/words/figures.rules.ts'
import { reportWords } from '#features/reference/words/reports.rules.ts'
import { reviewWords } from '#features/reference/words/reviews.rules.ts'
import { systemWords } from '#features/reference/words/system.rules.ts'

/** Descriptions of the API's fields and parameters, one text for each part of the product. */
export const apiWords: readonly string[] = [
  catalogueWords,
  figureWords,
  accountWords,
  alertWords,
  collectionWords,
  reportWords,
  reviewWords,
  billingWords,
  systemWords,
]
