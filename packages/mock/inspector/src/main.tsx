import { render } from 'preact';
import { followEvents } from './api/events.ts';
import { loadToken } from './api/token.ts';
import { followAddress } from './live/route.ts';
import { App } from './shell/app.tsx';

loadToken();
followAddress();
followEvents();

const root = document.getElementById('app');
if (root !== null) {
  render(<App />, root);
}
