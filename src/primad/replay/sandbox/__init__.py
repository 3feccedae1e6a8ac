"""What holds a command that nobody here wrote?  The ladder of sandboxes, each rung found by trying it.

box          the folders that a command sees
holder       what every rung can do
container    a container engine
bubblewrap   namespaces of the kernel, by bubblewrap
calls        calls of the kernel that no namespace keeps apart
plain        a process like any other, for systems that are trusted
reaching     folders that another user could not enter
processes    what processes use, and their end
keys         whether a command can have our keys
self_test    what a rung really keeps a command from
ladder       the highest rung that this machine has
"""
