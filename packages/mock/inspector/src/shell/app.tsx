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

/** The views, by their part of the address. */
const VIEWS = {
  conversations: { name: 'Conversations', Show: Conversations },
  data: { name: 'Data', Show: Data },
  requests: { name: 'Requests', Show: Requests },
  deliveries: { name: 'Deliveries', Show: Deliveries },
  faults: { name: 'Faults', Show: Faults },
  keys: { name: 'Keys', Show: Keys },
  clock: { name: 'Clock', Show: Clock },
} as const;

const isView = (name: string | undefined): name is keyof typeof VIEWS =>
  name !== undefined && Object.hasOwn(VIEWS, name);

const LINKS = Object.entries(VIEWS).map(([path, { name }]) => ({ path, name }));

/** The fragment of the address names a view, so a link can't do this. */
const skipToMain = (): void => {
  document.getElementById('main')?.focus();
};

/** The inspector. */
export const App = () => {
  const [name] = route.value;
  const current = isView(name) ? name : 'conversations';
  const { Show } = VIEWS[current];
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <Header links={LINKS} current={current} />
      <main id="main" tabIndex={-1}>
        {locked.value ? <Unlock /> : <Show />}
      </main>
      <NoticeBar />
    </>
  );
};
