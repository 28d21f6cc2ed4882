-- Origins and formats repeat: filters compare them, and jumping along these indexes finds each of them once.
create index product_by_origin on product (fold(origin), id);
create index product_by_format on product (fold(format), id);
