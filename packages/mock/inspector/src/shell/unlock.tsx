import { call } from '../api/call.ts';
import { adminToken, setToken } from '../api/token.ts';
import { changed, TOPICS } from '../live/live.ts';
import { Field } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { View } from '../ui/view.tsx';

/** @throws An {@link Error} when the server refuses the token. */
const unlock = async (token: string): Promise<void> => {
  const before = adminToken.value;
  adminToken.value = token;
  try {
    await call('clock.get');
  } catch (error) {
    adminToken.value = before;
    throw error;
  }
  setToken(token);
  changed(...TOPICS);
};

/** Asks for the admin token. */
export const Unlock = () => (
  <View
    title="Admin token"
    intro="This server was started with an admin token. Enter it to inspect the mock."
  >
    <div class="card narrow">
      <Form submit="Unlock" onSubmit={({ token = '' }) => unlock(token.trim())}>
        <Field
          label="Admin token"
          name="token"
          type="password"
          required
          hint="It stays in this tab, and is forgotten when you close it."
        />
      </Form>
    </div>
  </View>
);
