/** The secret that the sender of measured deliveries shares with their receiver. */
export const SECRET = 'scale-secret-scale-secret';
