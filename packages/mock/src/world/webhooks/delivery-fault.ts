/** What goes wrong with the delivery of one event. */
export interface DeliveryFault {
  /**
   * How often the event is delivered to each endpoint; 0 loses it.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * Milliseconds on the mock's clock before its first attempt, so that later events overtake it.
   * @default 0
   */
  readonly delayMs?: number | undefined;
}
