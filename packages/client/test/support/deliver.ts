/**
 * Takes a request to a service and brings its answer, a 200 with a body, back.
 *
 * Here the service is in the same function. The mock's tests put one of its hosts in this module's place.
 *
 * @param body What the service answers with; a rejection is a broken connection.
 */
export const deliver = async (_: Request, body: () => Promise<unknown>): Promise<Response> =>
  Response.json(await body());
