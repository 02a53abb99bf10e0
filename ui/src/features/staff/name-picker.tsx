import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { staffText } from '../../text/staff.ts';
import { NameList } from './name-list.tsx';
import { PersonPicker, type PersonPickerProps } from './person-picker.tsx';

/** Asks which member of staff acts. A button leads to the list of names. */
export function NamePicker(props: Omit<PersonPickerProps, 'children'>) {
	const [isListed, setListed] = useState(false);
	if (isListed) return <NameList onLeave={() => setListed(false)} />;
	return (
		<PersonPicker {...props}>
			<Button icon="staff" onClick={() => setListed(true)}>
				{staffText.names.manage}
			</Button>
		</PersonPicker>
	);
}
