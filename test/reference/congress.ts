/** The fields of a disclosed trade. */
export const CONGRESS_FIELDS =
  'politician_id name reporter member_type is_active issuer ticker txn_type amounts transaction_date filed_at_date notes'
