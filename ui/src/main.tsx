import './base.css';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { createApi } from './app/api.ts';
import { Boot } from './app/boot.tsx';
import { keepKioskManners } from './app/kiosk-manners.ts';
import { createLive } from './app/live.ts';
import { readSession } from './app/session-cookie.ts';
import { createSound, keepSounding } from './app/sound.ts';
import { loggedIn } from './app/state/session.ts';
import { makeStore } from './app/store.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';

const store = makeStore(createApi, createLive());
const session = readSession();
if (session !== null) store.dispatch(loggedIn(session));
keepKioskManners();
keepSounding(store, createSound(globalThis.AudioContext));

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
createRoot(place).render(
	<Provider store={store}>
		<ErrorBoundary>
			<Boot />
		</ErrorBoundary>
	</Provider>,
);
