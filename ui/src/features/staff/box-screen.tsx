import type { BoxState } from '@kiosk/contract/box-count';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { alertClosed } from '../../state/alert.ts';
import { useAppDispatch } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { BoxCounting } from './box-counting.tsx';
import { BoxResult } from './box-result.tsx';
import styles from './box-screen.module.css';
import { NamePicker } from './name-picker.tsx';
import { callForStaff } from './staff-actions.ts';

const words = staffText.box;

/** After a count was saved, tells staff what to do with the slip. */
function Saved({ period, prints, onDone }: { period: number; prints: boolean; onDone: () => void }) {
	return (
		<div className={styles.saved}>
			<h1>{words.saved(period)}</h1>
			<p>{prints ? words.slip : words.noSlip}</p>
			<Button kind="primary" icon="check" onClick={onDone}>
				{words.done}
			</Button>
		</div>
	);
}

/**
 * Guides staff through a count of the cashbox: they choose a name, count without seeing the
 * expected amount, see the result and get a slip. After a reload, a count that is not saved yet is
 * shown again.
 */
export default function BoxScreen() {
	const [by, setBy] = useState<string | null>(null);
	const [box, setBox] = useState<BoxState | null>(null);
	const [recount, setRecount] = useState(false);
	const [saved, setSaved] = useState<{ period: number; prints: boolean } | null>(null);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const leave = () => navigate('/staf');

	useEffect(() => {
		if (by === null) return;
		const here = new AbortController();
		void dispatch(callForStaff((api) => api.boxState(here.signal), here.signal)).then((found) => {
			if (found && !here.signal.aborted) setBox(found);
		});
		return () => here.abort();
	}, [by, dispatch]);

	if (by === null) return <NamePicker title={words.who} onPick={({ name }) => setBy(name)} onLeave={leave} />;
	if (saved) return <Saved {...saved} onDone={leave} />;
	if (box === null) return <div aria-busy />;
	if (box.result && !recount) {
		const { period, expected, counted } = box.result;
		return (
			<BoxResult
				result={box.result}
				renewed={box.renewed}
				onAgain={() => setRecount(true)}
				onLeave={leave}
				onSave={async () => {
					dispatch(alertClosed());
					const done = await dispatch(callForStaff((api) => api.saveBox({ by, period, expected, counted })));
					if (done) return setSaved(done);
					const now = await dispatch(callForStaff((api) => api.boxState()));
					// If the daemon no longer has the unsaved count, it may have saved it while the answer
					// was lost. Therefore the page keeps its figures, and staff can save them again. If the
					// page became empty, staff would have to count again.
					if (now?.result) setBox(now);
				}}
			/>
		);
	}
	return (
		<BoxCounting
			by={by}
			nominals={box.nominals}
			renewed={box.renewed}
			onLeave={leave}
			onCount={async (notes) => {
				const next = await dispatch(callForStaff((api) => api.countBox({ by, notes })));
				if (!next) return;
				setBox(next);
				setRecount(false);
			}}
		/>
	);
}
