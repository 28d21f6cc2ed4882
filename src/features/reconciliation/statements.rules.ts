import type { StatementSource } from '#features/reconciliation/reconciliation.contract.ts'
import type { TableColumn, TableKind } from '#shared/csv/layout.ts'

/** How to read the statement of one source; adding a provider only needs another entry. */
type Statement = {
  label: string
  table: TableKind
  /** Offset of its times when they have none. */
  offset: '+00:00' | '+01:00'
  /** Meaning of its states, in lower case; others are not final. A bank has none: its rows are payments. */
  outcomes: Record<string, 'paid' | 'failed'>
}

const column = (key: string, isRequired: boolean, ...titles: string[]): TableColumn => ({
  key,
  isRequired,
  titles,
})

const table = (name: string, titled: string, ...columns: TableColumn[]): TableKind => ({
  name,
  titled,
  formats: [{ name: 'statement', isFrench: false, isGuarded: false, columns }],
})

const amountTitles = ['Montant', 'amount', 'Amount received', 'depositedAmount', 'requestedAmount']
const currencyTitles = ['Devise', 'currency', 'Monnaie']
const phoneTitles = [
  ...['phone', 'phoneNumber', 'Phone number', 'Téléphone', 'Numéro', 'Numéro de téléphone', 'MSISDN'],
  ...['Payer', 'Customer phone', 'payer.accountDetails.phoneNumber'],
]
const stateTitles = ['Statut', 'status', 'État', 'Etat']

export const statements: Record<StatementSource, Statement> = {
  pawapay: {
    label: 'pawaPay',
    offset: '+00:00',
    outcomes: { completed: 'paid', failed: 'failed', rejected: 'failed' },
    table: table(
      'un relevé de pawaPay',
      'depositId, status, amount, currency, created, phone (facultatif)',
      column('id', true, 'depositId', 'Deposit ID', 'deposit_id', 'Identifiant', 'Transaction ID', 'id'),
      column('state', true, ...stateTitles),
      column('amount', true, ...amountTitles),
      column('currency', true, ...currencyTitles),
      column('at', true, 'created', 'Created at', 'createdAt', 'Date', 'Date de création', 'Créé le'),
      column('reference', false, 'providerTransactionId', 'Provider transaction ID'),
      column('phone', false, ...phoneTitles),
    ),
  },
  flexpay: {
    label: 'FlexPay',
    offset: '+01:00',
    // Code 1 may only mean that the payer has not confirmed yet, and 2 is ambiguous.
    outcomes: { '0': 'paid', success: 'paid', succès: 'paid', payé: 'paid', réussi: 'paid' },
    table: table(
      'un relevé de FlexPay',
      'reference, orderNumber, amount, currency, createdAt, status, phone (facultatif)',
      column('id', true, 'reference', 'Référence'),
      column('reference', true, 'orderNumber', 'Order number', 'Numéro de commande', 'N° de commande'),
      column('state', true, ...stateTitles),
      column('amount', true, ...amountTitles),
      column('currency', true, ...currencyTitles),
      column('at', true, 'createdAt', 'Created at', 'Date', 'Date de création', 'Créé le'),
      column('phone', false, ...phoneTitles),
    ),
  },
  bank: {
    label: 'Banque',
    offset: '+01:00',
    outcomes: {},
    table: {
      // The holder, the account and the balance stand above the titles.
      isDescribed: true,
      ...table(
        'un relevé de banque',
        'Date, Libellé, Crédit',
        column(
          'at',
          true,
          ...['Date', 'Date opération', 'Date operation', 'Date d’opération', 'Date de l’opération'],
          ...['Date comptable', 'Date valeur', 'Date de valeur', 'Jour', 'Booking date'],
        ),
        column(
          'label',
          true,
          ...['Libellé', 'Libelle', 'Libellé de l’opération', 'Description', 'Motif', 'Communication'],
          ...['Détails', 'Opération', 'Nature de l’opération', 'Narration', 'Details'],
        ),
        column('amount', true, 'Crédit', 'Credit', 'Montant crédit', 'Entrée', 'Entrées', ...amountTitles),
        column('debit', false, 'Débit', 'Debit', 'Montant débit', 'Sortie', 'Sorties'),
        column('direction', false, 'Sens', 'D/C', 'C/D'),
        column('currency', false, ...currencyTitles),
        column(
          'reference',
          false,
          ...['Référence', 'Reference', 'Réf.', 'Réf', 'Ref', 'Référence banque', 'Référence bancaire'],
          ...['N° d’opération', 'N° opération', 'Numéro d’opération', 'Référence de l’opération'],
        ),
      ),
    },
  },
}
