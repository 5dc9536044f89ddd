import { locked } from '../api/token.ts';
import { route } from '../live/route.ts';
import { Clock } from '../views/clock/clock.tsx';
import { Conversations } from '../views/conversations/conversations.tsx';
import { Data } from '../views/data/data.tsx';
import { Deliveries } from '../views/deliveries/deliveries.tsx';
import { Faults } from '../views/faults/faults.tsx';
import { Keys } from '../views/keys/keys.tsx';
import { Requests } from '../views/requests/requests.tsx';
import { Header } from './header.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { Unlock } from './unlock.tsx';

/** The views, by their names. */
const VIEWS = { Conversations, Data, Requests, Deliveries, Faults, Keys, Clock };

const NAMES = Object.keys(VIEWS) as readonly (keyof typeof VIEWS)[];

/** A link can't do this, because the fragment of the address names a view. */
const skipToMain = (): void => {
  document.getElementById('main')?.focus();
};

/** The inspector. */
export const App = () => {
  const [path] = route.value;
  const name = NAMES.find((each) => each.toLowerCase() === path) ?? 'Conversations';
  const Show = VIEWS[name];
  return (
    <>
      <button type="button" class="hidden skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <Header views={NAMES} current={name} />
      <main id="main" tabIndex={-1}>
        {locked.value ? <Unlock /> : <Show />}
      </main>
      <NoticeBar />
    </>
  );
};
