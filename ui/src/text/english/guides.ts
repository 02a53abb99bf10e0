import type { GuideTexts } from '../va-guides.ts';

/** The names of menus are not translated, because customers see them as the banks write them. */
export const guides: GuideTexts = {
	banks: {
		bca: {
			name: 'BCA',
			channels: [
				{
					name: 'Klik BCA',
					steps: [
						'Log in to KlikBCA with your user ID and PIN',
						'Choose Transfer Dana, then Transfer ke BCA Virtual Account',
						'Type the virtual account number, then choose Lanjutkan',
						'Check name and amount, then choose Lanjutkan',
						'Enter the KeyBCA Appli 1 response, then choose Kirim',
					],
				},
				{
					name: 'm-BCA',
					steps: [
						'Open BCA mobile, then choose m-BCA',
						'Choose m-Transfer, then BCA Virtual Account',
						'Type the virtual account number, then choose Send',
						'Check name and amount, then choose OK',
						'Enter your m-BCA PIN',
					],
				},
			],
		},
		mandiri: {
			name: 'Mandiri',
			channels: [
				{
					name: 'Internet Banking',
					steps: [
						'Log in to Mandiri Internet Banking',
						'Choose Bayar, then Multi Payment',
						'Choose the provider with the company code above',
						'Type the virtual account number, then choose Lanjutkan',
						'Check name and amount, then confirm with your token',
					],
				},
			],
		},
		bni: {
			name: 'BNI',
			channels: [
				{
					name: 'iBank Personal',
					steps: [
						'Log in to ibank.bni.co.id',
						'Choose Transfer, then Virtual Account Billing',
						'Type the virtual account number and choose your account',
						'Check name and amount',
						'Enter the token code, then choose Proses',
					],
				},
				{
					name: 'Mobile Banking',
					steps: [
						'Log in to BNI Mobile Banking',
						'Choose Transfer, then Virtual Account Billing',
						'Choose your account, then type the virtual account number',
						'Check name and amount',
						'Enter your transaction password',
					],
				},
			],
		},
	},
	anyBank: {
		name: '',
		channels: [
			{
				name: 'Mobile banking or ATM',
				steps: [
					'Open your bank’s app, or go to an ATM',
					'Choose Transfer or Pay, then Virtual Account',
					'Type the virtual account number',
					'Check name and amount',
					'Enter your PIN',
				],
			},
		],
	},
};
