/** One entry of a filter. The empty value switches the filter off. */
type FilterOption = { value: string; label: string };

const showAll: FilterOption = { value: '', label: '-- Tampilkan Semua --' };

/** The values of `statusAktif` in the list state: an employee's status. */
export const employeeStatusOptions: readonly FilterOption[] = [
	showAll,
	{ value: '1', label: 'Aktif' },
	{ value: '2', label: 'Resign' },
	{ value: '3', label: 'Diberhentikan' },
];

/** The values of `expired_deposite` in the list state: the expiry of a deposit. */
export const depositExpiryOptions: readonly FilterOption[] = [
	showAll,
	{ value: '1', label: 'Sudah Expired' },
	{ value: '2', label: 'Expired bulan ini' },
];
