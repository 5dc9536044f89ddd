import { call } from '../api/call.ts';
import { connection } from '../api/events.ts';
import type { ClockState } from '../api/types.ts';
import { linkTo } from '../live/route.ts';
import { useLive } from '../live/use-live.ts';
import { Time } from '../ui/time.tsx';

interface HeaderProps {
  readonly links: readonly { readonly path: string; readonly name: string }[];
  readonly current: string;
}

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost, trying again…',
} as const;

const Now = () => {
  const { value } = useLive('now', ['clock'], async () => (await call<ClockState>('clock.get')).data);
  return value === undefined ? null : (
    <a class="now" href={linkTo('clock')}>
      <span class="hidden">Clock: </span>
      <Time at={value.now} />
    </a>
  );
};

/** The name of the page, its views, and whether events arrive. */
export const Header = ({ links, current }: HeaderProps) => (
  <header class="top">
    <p class="brand">
      <span class="mark" aria-hidden="true" /> confab mock
    </p>
    <nav class="views" aria-label="Views">
      {links.map(({ path, name }) => (
        <a key={path} href={linkTo(path)} aria-current={path === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    <div class="state">
      <Now />
      <p class={`connection ${connection.value}`} role="status">
        {CONNECTION[connection.value]}
      </p>
    </div>
  </header>
);
