-- The period that a payment pays for is fixed when it is made: a plan that changes meanwhile changes nothing for it.
alter table payment add column billing_period text
  constraint payment_period_known check (billing_period in ('MONTHLY', 'YEARLY'));
update payment set billing_period = plan.billing_period from plan where plan.id = payment.plan_id;
alter table payment add column refund_reason text
  constraint payment_refund_reason_length check (length(refund_reason) <= 500);
