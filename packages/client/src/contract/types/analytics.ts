/** A period of time. */
export interface FunnelPeriod {
  /** The start of the period, as an RFC 3339 date-time. */
  from: string;
  /** The end of the period, as an RFC 3339 date-time. */
  to: string;
}

/** How many leads reached each step of the funnel in a period. */
export interface Funnel {
  /** The number of new leads. */
  newLeads: number;
  /** The number of active leads. */
  activeLeads: number;
  /** The number of qualified leads. */
  qualified: number;
  /** The number of converted leads. */
  converted: number;
  /** The share of leads that converted. The API does not publish the formula. */
  conversionRate: number;
  /** The period that the numbers are for. */
  range: FunnelPeriod;
}

/** The query parameters that read the funnel. */
export interface FunnelQuery {
  /** The start of the period, as an RFC 3339 date-time. The service chooses one if it is left out. */
  from?: string | undefined;
  /** The end of the period, as an RFC 3339 date-time. The service chooses one if it is left out. */
  to?: string | undefined;
}
