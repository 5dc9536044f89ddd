const renewed = async (request: Request): Promise<Request> => {
  const url = new URL(request.url);
  url.searchParams.delete('notify');
  const { method, headers } = request;
  if (method === 'GET') {
    return new Request(url, { method, headers });
  }
  const { score: _, ...body } = (await request.json()) as Record<string, unknown>;
  return new Request(url, { method, headers, body: JSON.stringify(body) });
};

/** A service that has what the guide calls newer than the client: an operation for tags, and two fields. */
export const newerService =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).pathname === '/api/v2/public/tags') {
      const tag = { id: crypto.randomUUID(), ...((await request.json()) as object) };
      return Response.json({ success: true, data: tag }, { status: 201 });
    }
    return send(await renewed(request));
  };
