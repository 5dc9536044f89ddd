import { confab } from '../../../lib/confab.ts';
import { errorResponse } from '../../../lib/error-response.ts';

/** Receives the contact form. */
export const POST = async (request: Request): Promise<Response> => {
  const form = await request.json().catch(() => null);
  try {
    // Fields are picked one by one, or visitors could choose a pipeline. The client validates them before it sends them.
    const { phone, displayName, email } = form ?? {};
    await confab().leads.ensure({ phone, displayName, email, source: 'website' });
    // The response does not reveal whether the phone was known.
    return Response.json({ received: true }, { status: 202 });
  } catch (error) {
    return errorResponse(error);
  }
};
