import { receiveForm } from '../../../../contact.ts';
import { getConfab } from '../../../server.ts';

/** Receives the contact form. */
export const POST = async (request: Request): Promise<Response> => {
  const { status, headers, body } = await receiveForm(getConfab(), await request.json().catch(() => null));
  return Response.json(body, { status, headers });
};
