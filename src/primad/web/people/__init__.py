"""Pages on people.

signing     coming in and going, and following an invitation
sessions    forgetting those that have ended
passwords   another password
account     what somebody sees and changes of themselves: name, roles, tokens
managing    what administrators see and change of others
mailing     how a link reaches somebody
"""
