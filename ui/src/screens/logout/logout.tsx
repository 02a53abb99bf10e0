import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { logOut } from '../../app/session-actions.ts';
import { useAppDispatch } from '../../app/store.ts';
import { ConnectingScreen } from '../connecting/connecting.tsx';

/** Ends the outlet's session, here and in the daemon, and leads to /login. */
export default function LogoutScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	useEffect(() => {
		void dispatch(logOut()).then(() => navigate('/login', { replace: true }));
	}, [dispatch, navigate]);
	return <ConnectingScreen />;
}
