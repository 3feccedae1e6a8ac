"""How much of a site may one person take?

patience     how long a thread waits for somebody who sends or takes slowly
quotas       how much one person may send within a day
rates        how often anybody may ask within a minute
throttling   how often somebody may try to sign in
waiting      the error that says how long to wait
"""
